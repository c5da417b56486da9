#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/// Whether the loader has written into the object's code: that would be lost.
static bool has_text_relocations(const struct dl_phdr_info *object) {
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) { continue; }
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) { return true; }
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) { return true; }
        }
    }
    return false;
}

static int unmap_object(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size, (void)context;
    // Without a name it is the program itself; the kernel's own object has no file behind it.
    if (has_text_relocations(object) || (object->dlpi_name[0] && object->dlpi_name[0] != '/')) { return 0; }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) { continue; }
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        // A refusal costs nothing but the memory.
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void flowbridge_unmap_code(void) { dl_iterate_phdr(unmap_object, NULL); }
