#include <curl/curl.h>

// Swift cannot call a variadic C function, so each kind of argument that curl_easy_setopt and curl_easy_getinfo are
// called with here has a function of its own. The wrong kind for an option is undefined behaviour in C; the name says
// which kind is meant, and CURLOPT_ names say which they take in the manual.

static inline CURLcode flowbridge_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowbridge_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowbridge_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode flowbridge_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/// Copies the body, so that Swift need not keep it at one address.
static inline CURLcode flowbridge_curl_set_body(CURL *easy, const void *bytes, size_t count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*flowbridge_curl_writer)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode flowbridge_curl_set_writer(CURL *easy, flowbridge_curl_writer writer, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, writer);
    return code ? code : curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

static inline CURLcode flowbridge_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode flowbridge_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode flowbridge_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The transfer that a message reports, and how it ended; the result is a member of a union.
static inline CURLcode flowbridge_curl_result(const CURLMsg *message) {
    return message->data.result;
}
