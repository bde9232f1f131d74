//! A prompt is paid 175 seconds before the deadline, and M-Pesa's query is slow.
