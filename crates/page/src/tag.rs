//! Element names as numbers.

macro_rules! tags {
    ($($variant:ident = $name:literal,)*) => {
        /// An element name that matters to the tree. Anything else is [`Tag::Other`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "the variants are the names of the specification")]
        pub enum Tag { $($variant,)* Other }

        impl Tag {
            /// Every known name in the order of the numbers, each followed by a space.
            pub const LIST: &str = concat!($($name, " "),*);
            const ALL: &[Tag] = &[$(Tag::$variant),*];

            /// The tag of a lower-case local name.
            pub fn from_name(name: &str) -> Tag {
                Self::LIST.split(' ').position(|n| n == name).map_or(Tag::Other, Self::from_index)
            }

            /// The tag with a number, as its place in [`Tag::LIST`].
            pub fn from_index(index: usize) -> Tag {
                Self::ALL.get(index).copied().unwrap_or(Tag::Other)
            }

            /// The name; empty for [`Tag::Other`].
            pub fn name(self) -> &'static str {
                Self::LIST.split(' ').nth(self as usize).unwrap_or("")
            }
        }
    };
}

tags! {
    A = "a", Abbr = "abbr", Address = "address", Area = "area", Article = "article", Aside = "aside", Audio = "audio",
    B = "b", Bdi = "bdi", Bdo = "bdo", Blockquote = "blockquote", Body = "body", Br = "br", Button = "button",
    Canvas = "canvas", Caption = "caption", Center = "center", Cite = "cite", Code = "code", Col = "col",
    Colgroup = "colgroup", Data = "data", Datalist = "datalist", Dd = "dd", Del = "del", Details = "details", Dfn = "dfn",
    Dialog = "dialog", Div = "div", Dl = "dl", Dt = "dt", Em = "em", Embed = "embed", Fieldset = "fieldset",
    Figcaption = "figcaption", Figure = "figure", Font = "font", Footer = "footer", Form = "form", Frame = "frame",
    H1 = "h1", H2 = "h2", H3 = "h3", H4 = "h4", H5 = "h5", H6 = "h6", Head = "head", Header = "header", Hgroup = "hgroup",
    Hr = "hr", Html = "html", I = "i", Iframe = "iframe", Img = "img", Input = "input", Ins = "ins", Kbd = "kbd",
    Label = "label", Legend = "legend", Li = "li", Link = "link", Main = "main", Map = "map", Mark = "mark", Math = "math",
    Menu = "menu", Meta = "meta", Meter = "meter", Nav = "nav", Noscript = "noscript", Object = "object", Ol = "ol",
    Optgroup = "optgroup", Option = "option", Output = "output", P = "p", Picture = "picture", Pre = "pre",
    Progress = "progress", Q = "q", Rp = "rp", Rt = "rt", Ruby = "ruby", S = "s", Samp = "samp", Script = "script",
    Search = "search", Section = "section", Select = "select", Slot = "slot", Small = "small", Source = "source",
    Span = "span", Strong = "strong", Style = "style", Sub = "sub", Summary = "summary", Sup = "sup", Svg = "svg",
    Table = "table", Tbody = "tbody", Td = "td", Template = "template", Textarea = "textarea", Tfoot = "tfoot", Th = "th",
    Thead = "thead", Time = "time", Title = "title", Tr = "tr", Track = "track", Tt = "tt", U = "u", Ul = "ul",
    Var = "var", Video = "video", Wbr = "wbr", G = "g", Path = "path", Use = "use", Desc = "desc", Circle = "circle",
    Rectangle = "rect", Defs = "defs", Symbol = "symbol", Textpath = "textpath", Tspan = "tspan", Text = "text",
}

impl Tag {
    /// Whether the element and all below it is never content.
    pub fn is_never_shown(self) -> bool {
        matches!(
            self,
            Tag::Script
                | Tag::Style
                | Tag::Meta
                | Tag::Link
                | Tag::Head
                | Tag::Noscript
                | Tag::Template
                | Tag::Title
                | Tag::Source
                | Tag::Track
                | Tag::Datalist
                | Tag::Col
                | Tag::Colgroup
                | Tag::Rp
                | Tag::Defs
                | Tag::Symbol
                | Tag::Desc
        )
    }

    /// Whether the element flows inline unless style says otherwise.
    pub fn is_inline(self) -> bool {
        matches!(
            self,
            Tag::A
                | Tag::Abbr
                | Tag::B
                | Tag::Bdi
                | Tag::Bdo
                | Tag::Cite
                | Tag::Code
                | Tag::Data
                | Tag::Del
                | Tag::Dfn
                | Tag::Em
                | Tag::Font
                | Tag::I
                | Tag::Ins
                | Tag::Kbd
                | Tag::Label
                | Tag::Mark
                | Tag::Q
                | Tag::S
                | Tag::Samp
                | Tag::Slot
                | Tag::Small
                | Tag::Span
                | Tag::Strong
                | Tag::Sub
                | Tag::Sup
                | Tag::Time
                | Tag::Tt
                | Tag::U
                | Tag::Var
                | Tag::Wbr
                | Tag::Ruby
                | Tag::Rt
                | Tag::Other
        )
    }

    /// Level of a heading element.
    pub fn heading_level(self) -> Option<u8> {
        match self {
            Tag::H1 => Some(1),
            Tag::H2 => Some(2),
            Tag::H3 => Some(3),
            Tag::H4 => Some(4),
            Tag::H5 => Some(5),
            Tag::H6 => Some(6),
            _ => None,
        }
    }
}
