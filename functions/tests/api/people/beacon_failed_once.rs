//! The beacon fails one request, or one relay of it lies.
