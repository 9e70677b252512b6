//! The elements that the model was shown, and what the user is told of the calls that use them. What a card says and whether a
//! field is secret is what the content script knows of the element, never what a page's text says of it.

use super::batch::cut;
use super::state::Run;
use webbrain_protocol::ToolCall;
use webbrain_protocol::json;
use webbrain_tools::{Dispatch, PageCall, RefId, ShownRef, TabCall};

/// Elements that are remembered; the oldest are forgotten first. One read shows at most some 350.
const SHOWN_LIMIT: usize = 512;
/// Characters of a name that are kept: as many as a card shows.
const NAME_LIMIT: usize = 120;

impl Run {
    /// Remembers elements that the model is shown now.
    pub(super) fn keep_shown(&mut self, shown: Vec<ShownRef>) {
        for mut new in shown {
            new.name = cut(&new.name, NAME_LIMIT);
            self.shown.retain(|old| old.number != new.number);
            self.shown.push_back(new);
        }
        while self.shown.len() > SHOWN_LIMIT {
            self.shown.pop_front();
        }
    }

    fn element(&self, ref_id: &RefId) -> Option<&ShownRef> {
        let number = ref_id.number()?;
        self.shown.iter().find(|shown| shown.number == number)
    }

    /// The host of the frame that an action of the page would be done in, when it is another one than the tab's.
    pub(super) fn frame_host(&self, dispatch: &Dispatch) -> Option<String> {
        let Dispatch::Page(page) = dispatch else { return None };
        self.element(page.ref_id()?)?.host.clone()
    }

    /// What a permission card says that a call would do; data.
    pub(super) fn target_for_user(&self, dispatch: &Dispatch) -> String {
        match dispatch {
            Dispatch::Page(PageCall::ClickAx(c)) => self.describe(&c.ref_id),
            Dispatch::Page(PageCall::TypeAx(c)) => self.describe_typing(&c.ref_id, &c.text),
            Dispatch::Page(PageCall::SetField(c)) => self.describe_typing(&c.ref_id, &c.text),
            Dispatch::Page(PageCall::TypeText(c)) => cut(&c.text, 80),
            Dispatch::Page(PageCall::UploadFile(c)) => {
                format!("{}: {}", self.describe(&c.ref_id), cut(&c.file_name, 80))
            }
            Dispatch::Page(PageCall::PressKeys(c)) => c.key.name().to_owned(),
            Dispatch::Tab(TabCall::Navigate(c)) => c.url.clone(),
            Dispatch::Tab(TabCall::NewTab(c)) => c.url.clone(),
            _ => String::new(),
        }
    }

    /// `role "name"` of a ref; the ref itself when nothing is known of it. A name cannot end its own quotation: what would
    /// follow reads as this program's words.
    fn describe(&self, ref_id: &RefId) -> String {
        match self.element(ref_id) {
            Some(shown) => format!("{} \"{}\"", shown.role, shown.name.replace(['"', '“', '”', '„', '«', '»'], "'")),
            None => ref_id.to_string(),
        }
    }

    fn describe_typing(&self, ref_id: &RefId, text: &str) -> String {
        let field = self.describe(ref_id);
        if self.is_secret_field(ref_id) {
            format!("{field}: ••••")
        } else {
            format!("{field}: {}", cut(text, 80))
        }
    }

    pub(super) fn fills_secret(&self, dispatch: &Dispatch) -> bool {
        match dispatch {
            Dispatch::Page(PageCall::TypeAx(c)) => self.is_secret_field(&c.ref_id),
            Dispatch::Page(PageCall::SetField(c)) => self.is_secret_field(&c.ref_id),
            _ => false,
        }
    }

    /// A field of which nothing is known may be one.
    fn is_secret_field(&self, ref_id: &RefId) -> bool {
        self.element(ref_id).is_none_or(|shown| shown.secret)
    }

    /// The arguments as the step list shows them: what goes into a password field is not shown.
    pub(super) fn args_for_user(&self, tool: &ToolCall) -> String {
        let Ok(mut args) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&tool.arguments) else {
            return cut(&tool.arguments, 2_000);
        };
        let secret = args
            .get("ref_id")
            .and_then(|r| json::from_str::<RefId>(&r.to_string()).ok())
            .is_some_and(|r| self.is_secret_field(&r));
        if secret && args.contains_key("text") {
            args.insert("text".into(), "••••".into());
            return serde_json::Value::Object(args).to_string();
        }
        cut(&tool.arguments, 2_000)
    }
}
