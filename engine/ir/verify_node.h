// What a node must be wherever it stands: its operands, its result, what its fields refer to.
#pragma once

#include "engine/ir/ir.h"

#include <string>
#include <vector>

namespace croupier::engine::ir {

// A value of that type may go where one of type `wanted` is asked for.
bool fits(const Type& type, const Type& wanted);
inline bool has_list(const Type& type) {
    return type.kind == TypeKind::Code || type.kind == TypeKind::Set;
}

class NodeCheck {
  public:
    NodeCheck(const Module& module, const Function& function)
        : module_(module), function_(function) {}

    // What is wrong with it; its operands must be nodes of the function.
    std::vector<std::string> check(const Node& node);
    // What is wrong with a type by itself.
    std::vector<std::string> check(const Type& type);

  private:
    void operands(const Node& node);
    void result(const Node& node);
    // -- by its kind (verify_kind.cpp) --
    void kind(const Node& node);
    void constant(const Node& node);
    void operators(const Node& node);
    void variable(VarId var, const Type& type, const char* what);
    void set_variables(const Node& node);
    void total(VarId var, const Type& type, const char* what);
    void gather(const Node& node);
    void table(const Node& node);
    void related(const Node& node);
    void call(const Node& node);
    // -- declared nodes (verify_declared.cpp) --
    void declared(const Node& node);
    void all_rows(const Node& node, const SchemaNode& schema);
    void rows(const Node& node, SchemaId schema, std::size_t from);
    void loaded(const Node& node, const SchemaNode& schema);
    [[nodiscard]] bool is_of_domain(const Type& type, std::uint32_t domain) const;

    void wrong(std::string text) { faults_.push_back(std::move(text)); }
    // Says so unless `index` is below `size`.
    bool in_range(const char* what, std::uint64_t index, std::uint64_t size);
    // An empty one, if there is none.
    [[nodiscard]] const CodeList& list_of(const Type& type) const {
        static const CodeList kNoList;
        return type.list < module_.lists.size() ? module_.lists[type.list] : kNoList;
    }
    [[nodiscard]] const Type& type_of(const Node& node, std::size_t operand) const {
        return function_.nodes[node.operands[operand]].type;
    }

    const Module& module_;
    const Function& function_;
    std::vector<std::string> faults_;
};

} // namespace croupier::engine::ir
