//! How does a receiver know that a request is ours? By a signature as in the convention of Standard Webhooks: HMAC-SHA256 of the
//! id, the time and the body, with a secret that both know.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;

/// What every secret begins with, so that one in the wrong place is recognised.
const PREFIX: &str = "whsec_";
/// Random bytes of a secret.
const BYTES: usize = 32;

/// What a receiver and we know. It has to be kept to sign, so it lies in a file that only its owner may read.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret")
    }
}

impl Secret {
    /// A new one.
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = vec![0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| std::io::Error::other(error.to_string()))?;
        Ok(Secret(bytes))
    }

    /// One that was kept.
    pub fn of(bytes: Vec<u8>) -> Self {
        Secret(bytes)
    }

    /// Its bytes, to be kept.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// As it is shown, once.
    pub fn shown(&self) -> String {
        format!("{PREFIX}{}", STANDARD.encode(&self.0))
    }

    /// What the header `Webhook-Signature` says of a request.
    pub fn signature(&self, id: &str, timestamp: i64, body: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.0);
        let signature = hmac::sign(&key, format!("{id}.{timestamp}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(signature))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the convention's own description.
    #[test]
    fn as_others_sign() {
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let secret = Secret::of(key);
        assert_eq!(secret.shown(), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        assert_eq!(
            secret.signature("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, "{\"test\": 2432232314}"),
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
        );
    }

    #[test]
    fn secrets_are_random_and_not_printed() {
        let (a, b) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert!(a != b && a.bytes().len() == BYTES);
        assert_eq!(format!("{a:?}"), "Secret");
    }
}
