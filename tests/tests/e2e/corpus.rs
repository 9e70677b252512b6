//! Pages from public bug reports: what each of them says about itself must hold. One test a page and browser, named after
//! the page: `corpus::chrome::p005_anchor_without_href_close`.

use webbrain_e2e::{Browser, Error, Result, Session, page_run, page_test};

/// Areas whose pages are all played. Of others, those that are in the list are.
const AREAS: [&str; 2] = ["A", "E"];

/// A page that does not hold yet.
struct NotYet {
    file: &'static str,
    browsers: &'static [Browser],
    why: &'static str,
}

/// Pages that do not hold yet. Their tests are turned round: one that holds fails until it is taken off this list.
const NOT_YET: &[NotYet] = &[];

async fn holds(session: &Session, file: &str) -> Result<()> {
    let findings = page_run::play(session, file).await?;
    let known = NOT_YET.iter().find(|n| n.file == file && n.browsers.contains(&session.browser));
    match (known, findings.is_empty()) {
        (None, true) | (Some(_), false) => Ok(()),
        (None, false) => Err(Error::Unexpected(findings.join("\n"))),
        (Some(known), true) => {
            Err(Error::Unexpected(format!("{file} holds now: take it off NOT_YET (it said: {})", known.why)))
        }
    }
}

macro_rules! pages {
    ($($name:ident = $file:literal,)+) => {
        const PLAYED: &[&str] = &[$($file),+];
        $(async fn $name(session: &Session) -> Result<()> { holds(session, $file).await })+
        mod chrome {
            $(webbrain_e2e::browser_test!(Chrome, $name);)+
        }
        mod firefox {
            $(webbrain_e2e::browser_test!(Firefox, $name);)+
        }
    };
}

pages! {
    p001_name_from_child_title = "001-name-from-child-title.html",
    p003_button_name_nested_spans_hidden_svg = "003-button-name-nested-spans-hidden-svg.html",
    p004_placeholder_and_title_as_name = "004-placeholder-and-title-as-name.html",
    p005_anchor_without_href_close = "005-anchor-without-href-close.html",
    p006_pointer_div_one_entry = "006-pointer-div-one-entry.html",
    p007_expander_inside_clickable_row = "007-expander-inside-clickable-row.html",
    p008_aria_owns_popup = "008-aria-owns-popup.html",
    p009_open_shadow_nested_slot = "009-open-shadow-nested-slot.html",
    p012_opacity0_checkbox_styled_label = "012-opacity0-checkbox-styled-label.html",
    p013_inert_background_of_modal = "013-inert-background-of-modal.html",
    p014_hidden_instructions_seven_ways = "014-hidden-instructions-seven-ways.html",
    p015_accessible_name_injection = "015-accessible-name-injection.html",
    p016_huge_list_dialog_last = "016-huge-list-dialog-last.html",
    p017_stale_ref_after_insert = "017-stale-ref-after-insert.html",
    p018_stale_ref_node_replaced = "018-stale-ref-node-replaced.html",
    p019_password_redaction_filled_marker = "019-password-redaction-filled-marker.html",
    p020_live_value_not_attribute = "020-live-value-not-attribute.html",
    p022_sandboxed_iframe_clickable_div = "022-sandboxed-iframe-clickable-div.html",
    p024_form_associated_custom_element = "024-form-associated-custom-element.html",
    p025_same_name_buttons_need_context = "025-same-name-buttons-need-context.html",
    p026_form_reinserted_after_logout = "026-form-reinserted-after-logout.html",
    p028_label_with_span_child = "028-label-with-span-child.html",
    p029_closed_details_and_hidden_until_found = "029-closed-details-and-hidden-until-found.html",
    p101_controlled_input_tracker = "101-controlled-input-tracker.html",
    p102_controlled_clear_to_empty = "102-controlled-clear-to-empty.html",
    p103_commit_on_change_blur = "103-commit-on-change-blur.html",
    p105_select_controlled = "105-select-controlled.html",
    p106_combobox_portal_mousedown = "106-combobox-portal-mousedown.html",
    p107_typeahead_async_must_pick = "107-typeahead-async-must-pick.html",
    p108_native_date_time = "108-native-date-time.html",
    p109_text_date_day_first = "109-text-date-day-first.html",
    p110_editor_owns_model_reverts_dom = "110-editor-owns-model-reverts-dom.html",
    p112_contenteditable_readback = "112-contenteditable-readback.html",
    p113_enter_sends_multiline = "113-enter-sends-multiline.html",
    p115_beforeinput_only_editor_execcommand = "115-beforeinput-only-editor-execcommand.html",
    p134_file_hidden_input_button = "134-file-hidden-input-button.html",
    p136_dropzone_only = "136-dropzone-only.html",
    p143_select_label_ambiguous_and_optgroup = "143-select-label-ambiguous-and-optgroup.html",
    p144_emoji_and_cjk_exact = "144-emoji-and-cjk-exact.html",
    p145_tags_by_comma_key = "145-tags-by-comma-key.html",
    p201_page_forges_extension_messages = "201-page-forges-extension-messages.html",
    p202_button_swapped_after_read = "202-button-swapped-after-read.html",
    p203_misleading_links = "203-misleading-links.html",
}

#[test]
fn every_page_of_these_areas_is_played() {
    let pages = page_test::all().unwrap();
    let wanted: Vec<&str> =
        pages.iter().filter(|(_, area)| AREAS.contains(&area.as_str())).map(|(file, _)| file.as_str()).collect();
    let missing: Vec<&&str> = wanted.iter().filter(|file| !PLAYED.contains(file)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(PLAYED.iter().all(|file| pages.iter().any(|(known, _)| known == file)), "{PLAYED:?}");
    let unknown: Vec<&str> = NOT_YET.iter().map(|n| n.file).filter(|file| !PLAYED.contains(file)).collect();
    assert!(unknown.is_empty() && NOT_YET.iter().all(|n| !n.browsers.is_empty() && !n.why.is_empty()), "{unknown:?}");
}
