//! The classifications that every tool must state.

use crate::call::Dispatch;
use serde::de::DeserializeOwned;
use webbrain_protocol::{Capability, Mode, Tier};

/// Modes in which a tool is shown to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// Ask.
    pub ask: bool,
    /// Act.
    pub act: bool,
    /// Dev.
    pub dev: bool,
}

impl Modes {
    /// Every mode.
    pub const ALL: Modes = Modes { ask: true, act: true, dev: true };
    /// The modes that may change something.
    pub const ACTION: Modes = Modes { ask: false, act: true, dev: true };
    /// Dev alone: for who builds the page.
    pub const DEV: Modes = Modes { ask: false, act: false, dev: true };

    /// Whether `mode` is one of them.
    pub fn has(self, mode: Mode) -> bool {
        match mode {
            Mode::Ask => self.ask,
            Mode::Act => self.act,
            Mode::Dev => self.dev,
        }
    }
}

/// Tiers in which a tool is shown to the model. Ask has one set for all tiers, so these count in action modes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiers {
    /// Compact.
    pub compact: bool,
    /// Mid.
    pub mid: bool,
    /// Full.
    pub full: bool,
}

impl Tiers {
    /// Every tier.
    pub const ALL: Tiers = Tiers { compact: true, mid: true, full: true };
    /// Mid and full.
    pub const MID_UP: Tiers = Tiers { compact: false, mid: true, full: true };
    /// Full; in Dev mode mid as well, which needs the structure of a page more than others.
    pub const FULL: Tiers = Tiers { compact: false, mid: false, full: true };

    /// Whether `tier` is one of them.
    pub fn has(self, tier: Tier) -> bool {
        match tier {
            Tier::Compact => self.compact,
            Tier::Mid => self.mid,
            Tier::Full => self.full,
        }
    }
}

/// Browser builds that have a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Browsers {
    /// Chrome and Firefox.
    Both,
    /// Only where the debugger API gives trusted input.
    TrustedInput,
}

/// Whether a tool changes something that the user would call a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It only looks.
    Read,
    /// It acts, and needs this capability.
    Acts(Capability),
    /// It changes the run's own state only.
    Own,
}

/// Where a tool's result text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Yields {
    /// From the page: fenced before the model sees it.
    PageText,
    /// From this program.
    OwnText,
}

/// What becomes of a call whose outcome was lost with the worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterCrash {
    /// It is done again.
    Reissue,
    /// It is never done again; the model is told that the outcome is unknown.
    Unknown,
}

/// Everything about a tool that another part of the program would have to know.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// Name that the model uses.
    pub name: &'static str,
    /// One line for the model.
    pub about: &'static str,
    /// Modes that show it.
    pub modes: Modes,
    /// Tiers that show it in action modes.
    pub tiers: Tiers,
    /// Builds that have it.
    pub browsers: Browsers,
    /// What it does to the world.
    pub effect: Effect,
    /// Where its result comes from.
    pub yields: Yields,
    /// Whether it ends the run.
    pub terminal: bool,
    /// What a restart does with it.
    pub after_crash: AfterCrash,
}

/// A tool: its arguments, which know how to become a call.
pub trait Tool: DeserializeOwned {
    /// Its classifications.
    const SPEC: Spec;

    /// The call that these arguments mean.
    fn dispatch(self) -> Dispatch;

    /// Capabilities that this very call needs; those of the [`Spec`] unless the arguments ask for more.
    fn needs(&self) -> Vec<Capability> {
        match Self::SPEC.effect {
            Effect::Acts(capability) => vec![capability],
            Effect::Read | Effect::Own => Vec::new(),
        }
    }
}
