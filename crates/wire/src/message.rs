//! Errors of a model call as messages for the user.

use crate::error::ORIGIN_REFUSED;
use crate::provider::Provider;
use webbrain_protocol::text::keys;
use webbrain_protocol::{ModelError, Msg};

/// The catalogue message for an error: what happened, at which server.
pub fn for_user(error: &ModelError, provider: &Provider) -> Msg {
    let msg = |key: &str| Msg::new(key).arg("server", provider.server());
    match error {
        ModelError::RateLimited { retry_after_s, detail } => {
            let msg = msg(keys::ERR_RATE_LIMITED).arg("detail", detail);
            match retry_after_s {
                Some(seconds) => msg.arg("seconds", seconds.to_string()),
                None => msg,
            }
        }
        ModelError::ContextOverflow { used, window } => {
            let numbers = [("used", used), ("window", window)];
            numbers.into_iter().fold(Msg::new(keys::ERR_CONTEXT), |msg, (name, number)| match number {
                Some(number) => msg.arg(name, number.to_string()),
                None => msg,
            })
        }
        ModelError::Auth { detail } if detail == ORIGIN_REFUSED => msg(keys::ERR_ORIGIN),
        ModelError::Auth { detail } => msg(keys::ERR_AUTH).arg("detail", detail),
        ModelError::Payment { detail } => msg(keys::ERR_PAYMENT).arg("detail", detail),
        ModelError::NotFound { detail } => msg(keys::ERR_NOT_FOUND).arg("detail", detail),
        ModelError::Refused { detail } => msg(keys::ERR_REFUSED).arg("detail", detail),
        ModelError::BadRequest { detail } => msg(keys::ERR_BAD_REQUEST).arg("detail", detail),
        ModelError::Server { status, detail } => {
            msg(keys::ERR_SERVER).arg("status", status.to_string()).arg("detail", detail)
        }
        ModelError::Protocol { detail } => msg(keys::ERR_PROTOCOL).arg("detail", detail),
        ModelError::Redirected => msg(keys::ERR_REDIRECT),
        ModelError::Cut => msg(keys::ERR_CUT),
        ModelError::Unreachable { detail } => msg(keys::ERR_UNREACHABLE).arg("detail", detail),
        ModelError::Timeout { seconds } => msg(keys::ERR_TIMEOUT).arg("seconds", seconds.to_string()),
        ModelError::Config { field, detail } => msg(keys::ERR_CONFIG).arg("field", field).arg("detail", detail),
    }
}

/// Whether the same request may succeed a little later, so that trying again without the user makes sense.
pub fn may_retry(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::RateLimited { .. }
            | ModelError::Server { .. }
            | ModelError::Cut
            | ModelError::Unreachable { .. }
            | ModelError::Timeout { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_server_and_what_it_said() {
        let provider = crate::provider::resolve("ollama", None).unwrap();
        let msg = for_user(&ModelError::Server { status: 500, detail: "out of memory".into() }, &provider);
        assert_eq!(msg.key, keys::ERR_SERVER);
        assert_eq!(msg.args["server"], "Ollama (http://localhost:11434/v1)");
        assert_eq!((msg.args["status"].as_str(), msg.args["detail"].as_str()), ("500", "out of memory"));
        let limited = ModelError::RateLimited { retry_after_s: None, detail: "30 requests a minute".into() };
        assert_eq!(for_user(&limited, &provider).args["detail"], "30 requests a minute");
        let origin = ModelError::Auth { detail: ORIGIN_REFUSED.into() };
        assert_eq!(for_user(&origin, &provider).key, keys::ERR_ORIGIN);
        assert!(may_retry(&ModelError::Cut) && !may_retry(&origin));
    }
}
