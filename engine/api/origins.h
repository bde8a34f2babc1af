// For the other folders: which rule a thread is at work for, and which rule an instruction is for.
#pragma once

#include "engine/run/glimpse.h"
#include "engine/x86/code.h"
