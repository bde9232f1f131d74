//! A prompt is sent to a stranger's phone, again and again, by several accounts.
