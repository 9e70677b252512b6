//! Line icons, each one path on a 24 x 24 grid.

use leptos::prelude::*;

pub const GEAR: &str = "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5";
pub const TRASH: &str = "M4 7h16M9 7V4h6v3M6.5 7l1 13h9l1-13M10 11v5M14 11v5";
pub const SEND: &str = "M12 19V5M5.5 11.5 12 5l6.5 6.5";
pub const STOP: &str = "M7 7h10v10H7z";
pub const DOWN: &str = "M12 5v14M5.5 12.5 12 19l6.5-6.5";
pub const CLOSE: &str = "M6 6l12 12M18 6 6 18";
pub const CHECK: &str = "M5 12.5 10 17.5 19 7";
pub const ALERT: &str = "M12 8v5M12 16.5v.5M12 3 2.5 20h19z";
pub const INFO: &str = "M12 11v6M12 7.5V8M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18";
pub const SHIELD: &str = "M12 3l7.5 3v5.5c0 4.5-3 8-7.5 9.5-4.5-1.5-7.5-5-7.5-9.5V6z";
pub const QUESTION: &str = "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17v.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18";
pub const FORWARD: &str = "M5 12h14M13 6l6 6-6 6";
pub const COPY: &str = "M9 9h11v11H9zM5 15H4V4h11v1";
pub const CHEVRON: &str = "M9 6l6 6-6 6";
const CURSOR: &str = "M6 4l13 7-5.5 1.7L11 18.5z";
const KEYBOARD: &str = "M3 7h18v10H3zM7 10.5h.5M11 10.5h.5M15 10.5h.5M8 13.8h8";
const GLOBE: &str = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18";
const EYE: &str = "M2.5 12C5 7.5 8.3 5.5 12 5.5s7 2 9.5 6.5c-2.500 4.500-5.800 6.500-9.500 6.500s-7-2-9.500-6.500M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5";
const CLOCK: &str = "M12 7v5l3.500 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18";
const NOTE: &str = "M5 4h14v16H5zM9 9h6M9 13h6";
const BACK: &str = "M19 12H5M11 6l-6 6 6 6";
const SCROLL: &str = "M12 4v16M8 8l4-4 4 4M8 16l4 4 4-4";
const TOOL: &str = "M12 5v14M5 12h14";

/// The icon of a tool.
pub fn of_tool(tool: &str) -> &'static str {
    match tool {
        "click_ax" => CURSOR,
        "type_ax" | "set_field" | "type_text" | "press_keys" => KEYBOARD,
        "navigate" | "new_tab" => GLOBE,
        "get_accessibility_tree"
        | "read_page"
        | "extract_data"
        | "get_selection"
        | "find_text"
        | "get_interactive_elements"
        | "iframe_read"
        | "get_frames"
        | "get_shadow_dom"
        | "shadow_dom_query"
        | "read_page_source"
        | "inspect_element_styles" => EYE,
        "wait_for_element" | "wait_for_stable" => CLOCK,
        "scratchpad_write" => NOTE,
        "go_back" => BACK,
        "go_forward" => FORWARD,
        "scroll" => SCROLL,
        "clarify" => QUESTION,
        "done" => CHECK,
        _ => TOOL,
    }
}

/// Draws an icon; it is decoration, so its button needs a name of its own.
pub fn icon(path: &'static str) -> AnyView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d=path></path>
        </svg>
    }
    .into_any()
}

/// The product's mark.
pub fn logo() -> AnyView {
    view! {
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
            <rect width="32" height="32" rx="9" fill="#6c63ff"></rect>
            <path
                d="M7.500 11l4 11 4.500-10 4.500 10 4-11"
                fill="none"
                stroke="#fff"
                stroke-width="2.600"
                stroke-linecap="round"
                stroke-linejoin="round"
            ></path>
        </svg>
    }
    .into_any()
}
