// Texts of authors: documents, diagnostics with their places, and tools to build them.
#pragma once

#include "engine/text/codes.h"
#include "engine/text/diagnostic.h"
#include "engine/text/document.h"
#include "engine/text/source.h"
