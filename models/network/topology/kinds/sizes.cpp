#include "models/network/topology/kinds/sizes.hpp"

#include <stdexcept>
#include <string>

namespace oscar {

void refuse_size(std::uint64_t nodes, std::uint32_t ranks, std::string_view remedy) {
    throw std::invalid_argument("the topology has " + std::to_string(nodes) + " nodes, the run " +
                                std::to_string(ranks) + " ranks; " + std::string(remedy));
}

void check_nodes(std::uint32_t nodes, std::uint32_t ranks) {
    if (nodes != 0 && nodes != ranks) refuse_size(nodes, ranks, "make them equal, or leave nodes at 0");
}

}   // namespace oscar
