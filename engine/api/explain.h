// Why rules do what they do, and what they cost.
#pragma once

#include "engine/explain/gauge.h"
#include "engine/explain/profile.h"
#include "engine/explain/stepping.h"
#include "engine/explain/trace.h"
#include "engine/explain/why.h"
#include "engine/explain/why_agenda.h"
#include "engine/explain/why_children.h"
#include "engine/explain/why_run.h"
