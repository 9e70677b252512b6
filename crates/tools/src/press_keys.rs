//! `press_keys`: press a key on the focused element.

use crate::prelude::*;

/// Arguments of `press_keys`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PressKeys {
    /// The key.
    pub key: Key,
    /// How often, 1 to 3; 1 when absent.
    #[serde(default, deserialize_with = "lenient::opt_u32")]
    pub repeat: Option<u32>,
}

/// Keys that can be pressed. Source: reference `tools.md` 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
pub enum Key {
    /// Escape.
    Escape,
    /// Tab.
    Tab,
    /// Enter.
    Enter,
    /// Arrow up.
    ArrowUp,
    /// Arrow down.
    ArrowDown,
    /// Arrow left.
    ArrowLeft,
    /// Arrow right.
    ArrowRight,
}

impl Key {
    /// The key's name, as `KeyboardEvent.key` has it.
    pub fn name(self) -> &'static str {
        match self {
            Key::Escape => "Escape",
            Key::Tab => "Tab",
            Key::Enter => "Enter",
            Key::ArrowUp => "ArrowUp",
            Key::ArrowDown => "ArrowDown",
            Key::ArrowLeft => "ArrowLeft",
            Key::ArrowRight => "ArrowRight",
        }
    }
}

impl Tool for PressKeys {
    const SPEC: Spec = Spec {
        name: "press_keys",
        about: "Press a key on the focused element.",
        modes: Modes::ACTION,
        tiers: Tiers::ALL,
        browsers: Browsers::Both,
        effect: Effect::Acts(Capability::Click),
        yields: Yields::PageText,
        terminal: false,
        after_crash: AfterCrash::Unknown,
    };

    fn dispatch(self) -> Dispatch {
        Dispatch::Page(PageCall::PressKeys(self))
    }

    fn needs(&self) -> Vec<Capability> {
        // Tab and Escape activate nothing.
        if matches!(self.key, Key::Tab | Key::Escape) { Vec::new() } else { vec![Capability::Click] }
    }
}
