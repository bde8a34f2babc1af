// Streams of random numbers.
#pragma once

#include "engine/run/random.h"
