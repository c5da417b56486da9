#include "pointers.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <simdjson.h>

namespace ondemand = simdjson::ondemand;

namespace {

constexpr size_t no_slot = SIZE_MAX;
constexpr size_t no_index = SIZE_MAX;

struct Child {
    std::string key;
    /// The key as an array index (RFC 6901, section 4: digits without a leading zero), or `no_index`.
    size_t index;
    size_t node;
};

struct Node {
    std::vector<Child> children;
    size_t slot = no_slot;
};

size_t array_index(const std::string &key) {
    if (key.empty() || key.size() > 9 || (key[0] == '0' && key.size() > 1)) { return no_index; }
    size_t index = 0;
    for (char digit : key) {
        if (digit < '0' || digit > '9') { return no_index; }
        index = index * 10 + size_t(digit - '0');
    }
    return index;
}

enum class KeyMatch { no, yes, escaped };

/// Compares a key as it stands in the payload, without unescaping it as long as it holds no backslash.
KeyMatch match(const char *raw, const std::string &key) {
    for (char wanted : key) {
        if (*raw == '\\') { return KeyMatch::escaped; }
        if (*raw == '"' || *raw != wanted) { return KeyMatch::no; }
        raw++;
    }
    if (*raw == '\\') { return KeyMatch::escaped; }
    return *raw == '"' ? KeyMatch::yes : KeyMatch::no;
}

std::string_view without_trailing_blanks(std::string_view text) {
    while (!text.empty() && strchr(" \t\r\n", text.back())) { text.remove_suffix(1); }
    return text;
}

}  // namespace

struct fb_pointer_reader {
    ondemand::parser parser;
    std::unique_ptr<uint8_t[]> buffer;
    size_t capacity = 0;

    bool reserve(size_t length) {
        if (length <= capacity) { return true; }
        size_t wanted = 4096;
        while (wanted < length) { wanted *= 2; }
        if (parser.allocate(wanted) != simdjson::SUCCESS) { return false; }
        buffer.reset(new uint8_t[wanted + simdjson::SIMDJSON_PADDING]);
        capacity = wanted;
        return true;
    }
};

struct fb_pointer_plan {
    std::vector<Node> nodes{1};
    std::vector<fb_pointer_value> values;

    /// Descends only where a pointer leads, so the depth of the recursion is that of the longest pointer.
    simdjson::error_code visit(ondemand::value value, size_t node) noexcept {
        switch (*value.raw_json_token().data()) {
        case '{': {
            found(node, fb_pointer_container);
            if (nodes[node].children.empty()) { return simdjson::SUCCESS; }
            ondemand::object object;
            if (auto error = value.get_object().get(object)) { return error; }
            return visit(object, node);
        }
        case '[': {
            found(node, fb_pointer_container);
            if (nodes[node].children.empty()) { return simdjson::SUCCESS; }
            ondemand::array array;
            if (auto error = value.get_array().get(array)) { return error; }
            return visit(array, node);
        }
        default:
            if (nodes[node].slot != no_slot) { values[nodes[node].slot] = scalar(value); }
            return simdjson::SUCCESS;
        }
    }

    simdjson::error_code visit(ondemand::object object, size_t node) noexcept {
        for (auto entry : object) {
            ondemand::field field;
            if (auto error = std::move(entry).get(field)) { return error; }
            const Child *child = find(field, node);
            if (!child) { continue; }
            if (auto error = visit(field.value(), child->node)) { return error; }
        }
        return simdjson::SUCCESS;
    }

    simdjson::error_code visit(ondemand::array array, size_t node) noexcept {
        size_t index = 0;
        for (auto entry : array) {
            ondemand::value element;
            if (auto error = std::move(entry).get(element)) { return error; }
            for (const Child &child : nodes[node].children) {
                if (child.index != index) { continue; }
                if (auto error = visit(element, child.node)) { return error; }
                break;
            }
            index++;
        }
        return simdjson::SUCCESS;
    }

    void found(size_t node, fb_pointer_kind kind) noexcept {
        if (nodes[node].slot != no_slot) { values[nodes[node].slot] = fb_pointer_value{kind, 0, nullptr, 0}; }
    }

    const Child *find(ondemand::field &field, size_t node) noexcept {
        const char *raw = field.key().raw();
        for (const Child &child : nodes[node].children) {
            switch (match(raw, child.key)) {
            case KeyMatch::no: continue;
            case KeyMatch::yes: return &child;
            case KeyMatch::escaped: return find_unescaped(field, node);
            }
        }
        return nullptr;
    }

    /// Unescapes a key once, because the parser's string buffer has room for each string once.
    const Child *find_unescaped(ondemand::field &field, size_t node) noexcept {
        std::string_view key;
        if (field.unescaped_key().get(key)) { return nullptr; }
        for (const Child &child : nodes[node].children) {
            if (child.key == key) { return &child; }
        }
        return nullptr;
    }

    static fb_pointer_value scalar(ondemand::value &value) noexcept {
        std::string_view text = without_trailing_blanks(value.raw_json_token());
        fb_pointer_value result{fb_pointer_word, 0, reinterpret_cast<const uint8_t *>(text.data()), text.size()};
        if (text == "null") {
            result.kind = fb_pointer_null;
        } else if (text == "true") {
            result.kind = fb_pointer_true;
        } else if (text == "false") {
            result.kind = fb_pointer_false;
        } else if (!text.empty() && text[0] == '"') {
            std::string_view string;
            if (value.get_string().get(string) == simdjson::SUCCESS) {
                result = {fb_pointer_string, 0, reinterpret_cast<const uint8_t *>(string.data()), string.size()};
            }
        } else if (value.get_double().get(result.number) == simdjson::SUCCESS) {
            result.kind = fb_pointer_number;
        }
        return result;
    }
};

fb_pointer_reader *fb_pointer_reader_create(void) { return new fb_pointer_reader; }

void fb_pointer_reader_destroy(fb_pointer_reader *reader) { delete reader; }

fb_pointer_plan *fb_pointer_plan_create(void) { return new fb_pointer_plan; }

void fb_pointer_plan_destroy(fb_pointer_plan *plan) { delete plan; }

size_t fb_pointer_plan_child(fb_pointer_plan *plan, size_t node, const uint8_t *key, size_t length) {
    std::string wanted(reinterpret_cast<const char *>(key), length);
    for (const Child &child : plan->nodes[node].children) {
        if (child.key == wanted) { return child.node; }
    }
    size_t index = array_index(wanted);
    size_t made = plan->nodes.size();
    plan->nodes[node].children.push_back({std::move(wanted), index, made});
    plan->nodes.emplace_back();
    return made;
}

void fb_pointer_plan_want(fb_pointer_plan *plan, size_t node) {
    plan->nodes[node].slot = plan->values.size();
    plan->values.push_back(fb_pointer_value{fb_pointer_absent, 0, nullptr, 0});
}

const fb_pointer_value *fb_pointer_read(
    fb_pointer_reader *reader, fb_pointer_plan *plan, const uint8_t *json, size_t length
) {
    if (length == 0 || (json[0] != '{' && json[0] != '[') || !reader->reserve(length)) { return nullptr; }
    memcpy(reader->buffer.get(), json, length);
    // A closing bracket left in the padding by a longer payload would make the parser count all brackets.
    memset(reader->buffer.get() + length, 0, simdjson::SIMDJSON_PADDING);
    for (fb_pointer_value &value : plan->values) { value = fb_pointer_value{fb_pointer_absent, 0, nullptr, 0}; }

    ondemand::document document;
    size_t padded = length + simdjson::SIMDJSON_PADDING;
    auto error = reader->parser.iterate(reader->buffer.get(), length, padded).get(document);
    if (error) { return nullptr; }
    plan->found(0, fb_pointer_container);
    if (json[0] == '{') {
        ondemand::object object;
        error = document.get_object().get(object);
        if (!error) { error = plan->visit(object, 0); }
    } else {
        ondemand::array array;
        error = document.get_array().get(array);
        if (!error) { error = plan->visit(array, 0); }
    }
    // Text after the document: two payloads run together, of which neither is surely the newest.
    if (error || document.current_location().error() != simdjson::OUT_OF_BOUNDS) { return nullptr; }
    return plan->values.data();
}
