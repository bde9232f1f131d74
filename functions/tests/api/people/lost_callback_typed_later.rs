//! A prompt of 1,000 is paid, its callback is lost, and its receipt is typed again two days later.
