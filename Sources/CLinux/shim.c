#include "CLinux.h"

#include <unistd.h>

int flowbridge_next_signal(int descriptor) {
    struct signalfd_siginfo info;
    if (read(descriptor, &info, sizeof info) != sizeof info) {
        return 0;
    }
    return (int)info.ssi_signo;
}
