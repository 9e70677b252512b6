//! Would leaving this document lose input?

use crate::js;

/// Fields whose value is not the one they came with.
pub fn dirty_fields() -> u32 {
    let fields = js::all(&js::document(), "input,textarea,select");
    let dirty = fields.iter().filter(|f| match f.name().as_str() {
        "select" => {
            let options = js::nodes(&f.options());
            let any_default = options.iter().any(|o| o.default_selected().is_truthy());
            // Without a default the browser chooses the first option itself.
            if any_default {
                options.iter().any(|o| o.selected().is_truthy() != o.default_selected().is_truthy())
            } else {
                f.selected_index().as_f64().is_some_and(|i| i > 0.0)
            }
        }
        "textarea" => f.value_text() != f.default_value().as_string().unwrap_or_default(),
        _ => match f.input_type().as_string().unwrap_or_default().as_str() {
            "checkbox" | "radio" => f.checked().is_truthy() != f.default_checked().is_truthy(),
            "submit" | "button" | "reset" | "image" | "hidden" => false,
            "file" => !f.value_text().is_empty(),
            _ => f.value_text() != f.default_value().as_string().unwrap_or_default(),
        },
    });
    // A document has far fewer fields than that.
    u32::try_from(dirty.count()).unwrap_or(u32::MAX)
}
