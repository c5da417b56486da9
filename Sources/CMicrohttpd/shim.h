#pragma once
#include <microhttpd.h>

/// What a server is told of a request's target before it has read the headers; the result stays with the request.
typedef void *(*mhd_target_callback)(void *context, const char *target, struct MHD_Connection *connection);

/// `MHD_start_daemon` is variadic, which Swift cannot call.
///
/// The server has no thread of its own: the caller waits for `mhd_epoll_descriptor` and calls `MHD_run`. Connections
/// can be suspended. `MHD_USE_TURBO` leaves out the `shutdown` before each `close`, so that a connection whose socket
/// lingers for no time ends in a reset rather than in an orderly close.
static inline struct MHD_Daemon *mhd_start(const struct sockaddr *address, mhd_target_callback target,
                                           MHD_AccessHandlerCallback handler,
                                           MHD_RequestCompletedCallback completed, void *context) {
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_TURBO, 0, NULL, NULL, handler, context,
                            MHD_OPTION_SOCK_ADDR, address, MHD_OPTION_URI_LOG_CALLBACK, target, context,
                            MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_END);
}

/// `MHD_get_daemon_info` is variadic: the descriptor that becomes readable when `MHD_run` has something to do, or -1.
static inline int mhd_epoll_descriptor(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info == NULL ? -1 : info->epoll_fd;
}

/// `MHD_get_daemon_info` is variadic: the port that the server listens on, or 0.
static inline uint16_t mhd_port(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info == NULL ? 0 : info->port;
}

/// `MHD_get_connection_info` is variadic: the connection's socket, or -1.
static inline int mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

/// `MHD_get_connection_info` is variadic: the client's address, or NULL.
static inline const struct sockaddr *mhd_client(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}
