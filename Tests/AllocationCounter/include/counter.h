#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdint.h>

/// How often memory was asked for since the start, by whose code asked. It lies in the file that ALLOCATION_COUNTS names,
/// and is kept up to date for whoever reads that.
struct allocation_counts {
    /// The program itself, with the Swift runtime, and the C++ libraries that nobody else uses.
    uint64_t program;
    /// libmosquitto.
    uint64_t mosquitto;
    /// All other libraries.
    uint64_t others;
};

#endif
