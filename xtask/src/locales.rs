//! Placeholder of the catalogue check.
