// What rules are compiled to, for engineers.
#pragma once

#include "engine/catalogue/show.h"
#include "engine/ir/show.h"
