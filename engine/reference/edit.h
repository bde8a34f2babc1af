// Changes of the state by path. Each checks everything first, so that one that fails changes
// nothing.
#pragma once

#include "engine/reference/world.h"

namespace croupier::engine::reference {

// Sets the value; creates the node and what is missing above it.
void set_value(World& world, const Path& path, const Value& value, Span span);

// Replaces the node by a copy of what `content` holds.
void set_content(World& world, const Path& path, Node content, Span span);

// Creates the node without value if it is absent.
void create(World& world, const Path& path, Span span);

// Makes room for children: creates the node, or drops its value.
void make_inner(World& world, const Path& path, Span span);

// Nothing happens if it is absent. The root of the whole state becomes an empty node.
void remove(World& world, const Path& path, Span span);

// Fails if the path leads into what rules can only read.
void check_writable(World& world, const Path& path, Span span);

// The declared shape of the node; fails if there can be no such node.
const Shape& shape_at(World& world, const Path& path, Span span);

std::string to_text(const Path& path); // "a.b.c"

} // namespace croupier::engine::reference
