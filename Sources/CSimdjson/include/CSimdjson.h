#pragma once

#include "document.h"
#include "pointers.h"
