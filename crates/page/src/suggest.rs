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
    let mut out = Vec::new();
    // A handful is picked one by one: a sort would be the largest function of the content script.
    while out.len() < max {
        let Some(mut best) = all.first().map(|c| rank(wanted, c)) else { break };
        let mut at = 0;
        for (index, candidate) in all.iter().enumerate().skip(1) {
            let rank = rank(wanted, candidate);
            if rank < best {
                (best, at) = (rank, index);
            }
        }
        out.push(all.swap_remove(at));
    }
    out
}

fn rank(wanted: Option<u32>, c: &Candidate) -> (bool, bool, u32, u32) {
    match wanted {
        Some(number) => (!c.role.is_control(), false, c.reference.abs_diff(number), c.reference),
        None => (c.name.is_empty(), !c.role.is_control(), u32::MAX - c.reference, 0),
    }
}
