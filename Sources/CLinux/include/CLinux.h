#pragma once

// What Swift's Glibc module lacks.
#include <getopt.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

/// The signal that waits on a non-blocking signalfd, or 0 if there is none.
int flowbridge_next_signal(int descriptor);

/// Unmaps the pages of code and constants: the kernel maps those again that are touched again. A breakpoint that a debugger
/// has set before is lost.
void flowbridge_unmap_code(void);
