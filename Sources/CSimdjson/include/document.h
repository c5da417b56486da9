#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a step of the walk stands for.
typedef enum fb_document_kind {
    fb_document_null,
    fb_document_false,
    fb_document_true,
    fb_document_number,
    fb_document_string,
    fb_document_key,
    fb_document_array_begins,
    fb_document_array_ends,
    fb_document_object_begins,
    fb_document_object_ends,
} fb_document_kind;

/// One step of the walk.
typedef struct fb_document_event {
    fb_document_kind kind;
    /// Finite; of numbers only.
    double number;
    /// Of strings and keys only; unescaped, without a closing NUL, valid until the callback returns.
    const uint8_t *_Nullable text;
    size_t length;
} fb_document_event;

/// How a walk ended.
typedef enum fb_document_result {
    fb_document_done,
    fb_document_stopped,
    fb_document_empty,
    fb_document_too_deep,
    fb_document_bad_utf8,
    fb_document_bad_number,
    fb_document_bad_string,
    fb_document_too_large,
    fb_document_out_of_memory,
    fb_document_bad_syntax,
} fb_document_result;

/// Takes one step; false ends the walk with `fb_document_stopped`.
typedef bool (*fb_document_visitor)(void *_Nonnull context, const fb_document_event *_Nonnull event);

/// Parses a whole JSON text and then walks it in document order, so a visitor never sees half of a broken text.
/// Containers may nest `max_depth` deep. `bytes` needs no padding: they are copied.
fb_document_result fb_document_walk(const uint8_t *_Nullable bytes, size_t length, size_t max_depth,
                                    void *_Nonnull context, fb_document_visitor _Nonnull visitor);

#ifdef __cplusplus
}
#endif
