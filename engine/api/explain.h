// Why rules do what they do, and what they cost.
#pragma once

#include "engine/explain/profile.h"
#include "engine/explain/stepping.h"
#include "engine/explain/trace.h"
#include "engine/explain/why.h"
