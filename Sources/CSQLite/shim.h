#include <sqlite3.h>

/// Binds text that SQLite copies at once: SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift does not
/// import.
static inline int flowbridge_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}
