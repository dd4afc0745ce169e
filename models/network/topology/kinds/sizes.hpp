// Checks and defaults of a topology's sizes.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace oscar {

/// Throws std::invalid_argument: "the topology has 8 nodes, the run 4 ranks; REMEDY".
[[noreturn]] inline void refuse_size(std::uint64_t nodes, std::uint32_t ranks, std::string_view remedy) {
    throw std::invalid_argument("the topology has " + std::to_string(nodes) + " nodes, the run " +
                                std::to_string(ranks) + " ranks; " + std::string(remedy));
}

/// Calls refuse_size() unless `nodes` is `ranks`, or 0, which stands for `ranks`.
inline void check_nodes(std::uint32_t nodes, std::uint32_t ranks) {
    if (nodes != 0 && nodes != ranks) refuse_size(nodes, ranks, "make them equal, or leave nodes at 0");
}

constexpr std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

}   // namespace oscar
