// Operations of a GOAL file, as they stand there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace oscar {

/// An operation of a rank.
struct GoalOperation {
    enum class Kind : std::uint8_t { send, receive, calculation };
    Kind kind = Kind::calculation;
    std::uint32_t rank = 0, peer = 0;
    std::uint64_t bytes = 0, tag = 0;
    std::size_t line = 0;                ///< in the file
    std::vector<std::size_t> required;   ///< operations of the same rank
};

struct GoalOperations {
    std::uint32_t ranks = 0;
    std::vector<GoalOperation> all;   ///< in the order of the file
};

/// Reads the text of a file, line by line. InputError without the file's name, with the line: what is no line of GOAL,
/// unknown ranks and labels, and calculations that take time.
GoalOperations read_goal_operations(const std::string& text);

}   // namespace oscar
