//! Scrolling: the list follows its end while the reader is there, and keeps still when the reader has gone elsewhere.

use crate::chat::session::set_changed;
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::ResizeObserver;

/// How far from the end still counts as being there, CSS pixels.
const NEAR: i32 = 48;

/// Follows the end of `content` within `scroller`.
#[derive(Clone, Copy)]
pub struct Follow {
    scroller: NodeRef<Div>,
    /// Whether the reader is at the end.
    pub at_end: RwSignal<bool>,
    last_top: StoredValue<i32>,
}

impl Follow {
    /// Watches the size of `content` for the life of the calling component, and follows it while `wanted`.
    pub fn new(scroller: NodeRef<Div>, content: NodeRef<Div>, wanted: impl Fn() -> bool + Copy + 'static) -> Self {
        let follow = Follow { scroller, at_end: RwSignal::new(true), last_top: StoredValue::new(0) };
        Effect::new(move || {
            let Some(content) = content.get() else { return };
            let resized = Closure::<dyn FnMut()>::new(move || {
                if wanted() && follow.at_end.try_get_untracked() == Some(true) {
                    follow.to_end();
                }
            });
            if let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) {
                observer.observe(&content);
                if let Some(scroller) = scroller.get_untracked() {
                    observer.observe(&scroller);
                }
            }
            resized.forget();
        });
        follow
    }

    /// The list was scrolled, by whomever. Only going up leaves the end: growth of the content also changes the distance.
    pub fn scrolled(self) {
        let Some(scroller) = self.scroller.get_untracked() else { return };
        let top = scroller.scroll_top();
        let near = scroller.scroll_height() - top - scroller.client_height() <= NEAR;
        let up = top < self.last_top.get_value();
        self.last_top.set_value(top);
        if near {
            self.set(true);
        } else if up {
            self.set(false);
        }
    }

    fn set(self, at_end: bool) {
        set_changed(self.at_end, at_end);
    }

    /// Goes to the end and stays there.
    pub fn to_end(self) {
        self.set(true);
        if let Some(scroller) = self.scroller.get_untracked() {
            scroller.set_scroll_top(scroller.scroll_height());
        }
    }
}
