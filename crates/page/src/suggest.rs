//! Near candidates for a ref that is not found.

use crate::Role;

/// A ref that would resolve now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its number.
    pub reference: u32,
    /// Role as last shown.
    pub role: Role,
    /// Name as last shown.
    pub name: String,
}

/// Up to `max` candidates. For a well-formed ref the controls nearest in number come first; else the named, newest ones.
pub fn suggest(wanted: Option<u32>, mut all: Vec<Candidate>, max: usize) -> Vec<Candidate> {
    match wanted {
        Some(number) => all.sort_by_key(|c| (!c.role.is_control(), c.reference.abs_diff(number), c.reference)),
        None => all.sort_by_key(|c| (c.name.is_empty(), !c.role.is_control(), std::cmp::Reverse(c.reference))),
    }
    all.truncate(max);
    all
}
