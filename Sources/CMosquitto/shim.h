#include <errno.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <stdint.h>

// Two functions of OpenSSL, which libmosquitto stands on. They are declared here rather than included, because its
// headers would put some thousand names into the module, and these two signatures have not changed since OpenSSL 1.0.
struct ssl_st;
long SSL_get_verify_result(const struct ssl_st *ssl);
const char *X509_verify_cert_error_string(long code);

/// Reads what the socket holds, usually one packet, and says in `error` what errno the last read left behind: EAGAIN
/// means that neither the socket nor OpenSSL holds another byte. Swift cannot look itself, for its runtime may call
/// libc between the return and the look.
static inline int flowbridge_mosquitto_read(struct mosquitto *client, int *error) {
    errno = 0;
    int code = mosquitto_loop_read(client, 1);
    *error = errno;
    return code;
}

/// Connects, blocking, and says in `error` what errno or, after MOSQ_ERR_EAI, what getaddrinfo code was the reason.
///
/// `longest` is the longest packet in bytes that the broker may send, or 0 for no bound, as MQTT 3.1.1 knows none.
static inline int flowbridge_mosquitto_connect(
    struct mosquitto *client, const char *host, int port, int keepalive, uint32_t longest, int *error
) {
    mosquitto_property *properties = NULL;
    if (longest) {
        int code = mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE, longest);
        if (code) {
            return code;
        }
    }
    errno = 0;
    int code = mosquitto_connect_bind_v5(client, host, port, keepalive, NULL, properties);
    *error = errno;
    mosquitto_property_free_all(&properties);
    return code;
}

/// Why the certificate of the peer was refused, or 0. Only valid while the handshake fails: libmosquitto frees the
/// connection right after it has logged the failure.
static inline long flowbridge_mosquitto_verify_result(struct mosquitto *client) {
    const struct ssl_st *ssl = mosquitto_ssl_get(client);
    return ssl ? SSL_get_verify_result(ssl) : 0;
}
