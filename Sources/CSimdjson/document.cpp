#include "document.h"

#include <simdjson.h>

namespace {

using namespace simdjson;

fb_document_result result_of(error_code error) {
    switch (error) {
    case EMPTY: return fb_document_empty;
    case DEPTH_ERROR: return fb_document_too_deep;
    case UTF8_ERROR: return fb_document_bad_utf8;
    case NUMBER_ERROR: return fb_document_bad_number;
    case STRING_ERROR:
    case UNESCAPED_CHARS:
    case UNCLOSED_STRING: return fb_document_bad_string;
    case CAPACITY: return fb_document_too_large;
    case MEMALLOC: return fb_document_out_of_memory;
    default: return fb_document_bad_syntax;
    }
}

struct Walk {
    void *context;
    fb_document_visitor visitor;

    bool step(fb_document_kind kind) const {
        fb_document_event event{kind, 0, nullptr, 0};
        return visitor(context, &event);
    }

    bool number(double value) const {
        fb_document_event event{fb_document_number, value, nullptr, 0};
        return visitor(context, &event);
    }

    bool text(fb_document_kind kind, std::string_view text) const {
        fb_document_event event{kind, 0, reinterpret_cast<const uint8_t *>(text.data()), text.size()};
        return visitor(context, &event);
    }

    // Recursion is safe: the parser has refused any text that nests deeper than `max_depth`. No unchecked read
    // can fail: each follows the type that the parser itself noted.
    bool value(dom::element element) const {
        switch (element.type()) {
        case dom::element_type::ARRAY: {
            if (!step(fb_document_array_begins)) { return false; }
            for (dom::element child : dom::array(element.get_array().value_unsafe())) {
                if (!value(child)) { return false; }
            }
            return step(fb_document_array_ends);
        }
        case dom::element_type::OBJECT: {
            if (!step(fb_document_object_begins)) { return false; }
            for (dom::key_value_pair member : dom::object(element.get_object().value_unsafe())) {
                if (!text(fb_document_key, member.key) || !value(member.value)) { return false; }
            }
            return step(fb_document_object_ends);
        }
        case dom::element_type::INT64: return number(static_cast<double>(element.get_int64().value_unsafe()));
        case dom::element_type::UINT64: return number(static_cast<double>(element.get_uint64().value_unsafe()));
        case dom::element_type::DOUBLE: return number(element.get_double().value_unsafe());
        case dom::element_type::STRING: return text(fb_document_string, element.get_string().value_unsafe());
        case dom::element_type::BOOL:
            return step(element.get_bool().value_unsafe() ? fb_document_true : fb_document_false);
        default: return step(fb_document_null);
        }
    }
};

} // namespace

fb_document_result fb_document_walk(const uint8_t *bytes, size_t length, size_t max_depth, void *context,
                                    fb_document_visitor visitor) {
    if (length == 0) { return fb_document_empty; }
    dom::parser parser;
    // The depth is set together with the capacity, or the first parse would fall back to the library's 1024. To
    // the parser the document itself is a level, too.
    if (error_code error = parser.allocate(length, max_depth + 1)) { return result_of(error); }
    dom::element root;
    if (error_code error = parser.parse(bytes, length).get(root)) { return result_of(error); }
    return Walk{context, visitor}.value(root) ? fb_document_done : fb_document_stopped;
}
