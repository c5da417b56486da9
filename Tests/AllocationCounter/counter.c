// Loaded before a program (LD_PRELOAD), it counts how often whose code asks for memory. A count depends neither on the
// machine nor on what else it does, so a test can hold it.
#define _GNU_SOURCE
#include "counter.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's own, which the functions below stand in front of.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

struct range {
    uintptr_t start, end;
};

static struct allocation_counts *counts;
static struct range program[4], mosquitto;

static void add_program(struct range range) {
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        if (program[i].end == 0) {
            program[i] = range;
            return;
        }
    }
}

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X)) { continue; }
        uintptr_t start = info->dlpi_addr + header->p_vaddr;
        struct range range = {start, start + header->p_memsz};
        if (strstr(info->dlpi_name, "libmosquitto")) {
            mosquitto = range;
        } else if (!*info->dlpi_name || strstr(info->dlpi_name, "libstdc++") || strstr(info->dlpi_name, "libsimdjson")) {
            add_program(range);
        }
    }
    return 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("ALLOCATION_COUNTS");
    if (!path) { return; }
    dl_iterate_phdr(note_object, NULL);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, sizeof *counts)) { return; }
    void *memory = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) { counts = memory; }
}

static bool contains(struct range range, uintptr_t address) { return range.start <= address && address < range.end; }

static void note(uintptr_t caller) {
    if (!counts) { return; }
    uint64_t *count = &counts->others;
    if (contains(mosquitto, caller)) { count = &counts->mosquitto; }
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        if (contains(program[i], caller)) { count = &counts->program; }
    }
    __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

void *malloc(size_t size) {
    note(CALLER);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(CALLER);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    note(CALLER);
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    note(CALLER);
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(CALLER);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note(CALLER);
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
