/// Reads recorded messages.
struct Recording {}
