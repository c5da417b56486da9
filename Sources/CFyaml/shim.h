// The door to libfyaml (Debian: libfyaml-dev), a YAML 1.2 parser with a place for every token.
// Only its event parser is used: https://github.com/pantoniou/libfyaml. It needs no wrappers.
#include <libfyaml.h>
