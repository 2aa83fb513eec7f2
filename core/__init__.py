"""Goals in, a checked plan out, actions run through interfaces; pure."""
