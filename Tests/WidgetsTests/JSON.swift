import Widgets

/// The value of a JSON text.
func json(_ text: String) throws -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
}
