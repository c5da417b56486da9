#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Reads several JSON Pointers of one payload in one pass, with simdjson's On-Demand parser.
//
// Nothing here throws, and nothing allocates once the reader has seen a payload of the size.

#ifdef __cplusplus
extern "C" {
#endif

/// What stands where a pointer leads.
typedef enum {
    /// Nothing: the path is not in this payload.
    fb_pointer_absent = 0,
    fb_pointer_null,
    /// A number; `number` is its value and `bytes` its text.
    fb_pointer_number,
    /// A string; `bytes` is its text, unescaped.
    fb_pointer_string,
    fb_pointer_true,
    fb_pointer_false,
    /// An object or an array.
    fb_pointer_container,
    /// Something that is no JSON value, such as a bare `NaN` or `01`; `bytes` is its text.
    fb_pointer_word,
} fb_pointer_kind;

/// What was found for one pointer. The bytes are good until the reader reads again.
typedef struct {
    fb_pointer_kind kind;
    double number;
    const uint8_t *bytes;
    size_t length;
} fb_pointer_value;

/// The parser and its buffer, shared by all plans of one thread.
typedef struct fb_pointer_reader fb_pointer_reader;

/// The pointers that are wanted from the payloads of one topic, as a tree of keys. Node 0 is the whole document.
typedef struct fb_pointer_plan fb_pointer_plan;

fb_pointer_reader *fb_pointer_reader_create(void);
void fb_pointer_reader_destroy(fb_pointer_reader *reader);

fb_pointer_plan *fb_pointer_plan_create(void);
void fb_pointer_plan_destroy(fb_pointer_plan *plan);

/// The node below `node` for one unescaped reference token; made if it is not there yet.
size_t fb_pointer_plan_child(fb_pointer_plan *plan, size_t node, const uint8_t *key, size_t length);

/// Asks for the value at a node. `fb_pointer_read` answers in the order of asking.
void fb_pointer_plan_want(fb_pointer_plan *plan, size_t node);

/// Reads a payload, which must be one JSON object or array and nothing else.
///
/// Returns one value for each wanted node, or NULL if the payload is not that. A scalar that is broken in a place that
/// nobody asked for does not matter. Of members with equal keys the last one counts, as with JavaScript and Python.
const fb_pointer_value *fb_pointer_read(
    fb_pointer_reader *reader, fb_pointer_plan *plan, const uint8_t *json, size_t length
);

#ifdef __cplusplus
}
#endif
