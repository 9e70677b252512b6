//! What can go wrong in a test run that is not a failed assertion.

/// The crate's error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A condition did not come about.
    #[error("waited {seconds} s for {what}; last seen: {last}")]
    Timeout {
        /// What was waited for.
        what: String,
        /// How long.
        seconds: u64,
        /// The state at the end.
        last: String,
    },
    /// The browser's driver failed.
    #[error("WebDriver: {0}")]
    Driver(Box<thirtyfour::error::WebDriverError>),
    /// A file, a process or a socket failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// JSON that does not fit.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A program or the built extension is not there.
    #[error("{what} is missing: {hint}")]
    Missing {
        /// What is missing.
        what: String,
        /// What to do about it.
        hint: String,
    },
    /// A script in an extension page threw.
    #[error("in the extension: {0}")]
    Extension(String),
    /// The model's script was not followed.
    #[error("model script: {0}")]
    Script(String),
    /// Something else than expected.
    #[error("{0}")]
    Unexpected(String),
}

impl From<thirtyfour::error::WebDriverError> for Error {
    fn from(error: thirtyfour::error::WebDriverError) -> Self {
        Error::Driver(Box::new(error))
    }
}

/// The crate's result.
pub type Result<T, E = Error> = std::result::Result<T, E>;
