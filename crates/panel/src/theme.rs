//! Light, dark, or as the system says. `theme-boot.js` sets it before the first paint from `localStorage`, which is a copy
//! of `storage.local`'s value, because that can only be read later.

use crate::{dom, shim, task};
use leptos::prelude::window;
use serde_json::Value;
use webbrain_protocol::settings::storage_keys::THEME_MODE;

/// Key of the copy in `localStorage`.
const COPY: &str = "wbTheme";

/// Applies a stored theme; anything but `light` and `dark` means the system's.
pub fn adopt(stored: Option<&Value>) {
    let theme = stored.and_then(Value::as_str).filter(|theme| matches!(*theme, "light" | "dark"));
    dom::set_root("data-theme", theme);
    let Ok(Some(storage)) = window().local_storage() else { return };
    // Without the copy the next page only starts in the system's theme for a moment.
    let _ = match theme {
        Some(theme) => storage.set_item(COPY, theme),
        None => storage.remove_item(COPY),
    };
}

/// Follows changes that another page makes.
pub fn follow() {
    shim::on_local_change(|keys| {
        if keys.iter().any(|key| key == THEME_MODE) {
            task::spawn(dom::report, async {
                adopt(shim::load(&[THEME_MODE]).await?.get(THEME_MODE));
                Ok(())
            });
        }
    });
}
