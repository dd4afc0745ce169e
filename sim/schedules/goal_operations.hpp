// Operations of a GOAL file, as they stand there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oscar {

/// An operation of a rank.
struct GoalOperation {
    enum class Kind : std::uint8_t { send, receive, calculation };
    Kind kind = Kind::calculation;
    std::uint32_t rank = 0, peer = 0;
    std::uint64_t bytes = 0;
    std::optional<std::uint64_t> tag = 0;   ///< none: a receive takes any
    std::uint64_t nanoseconds = 0;          ///< of a calculation
    std::uint32_t processor = 0;            ///< cpu
    std::size_t line = 0;                   ///< in the file
    std::vector<std::size_t> required;      ///< operations of the same rank that must be done before it starts
    std::vector<std::size_t> begun;         ///< likewise, that must have started (irequires)
};

struct GoalOperations {
    std::uint32_t ranks = 0;
    std::vector<GoalOperation> all;   ///< in the order of the file
};

/// Reads the text of a file, line by line; comments begin with # or //, or are between /* and */. InputError without
/// the file's name, with the line: what is no line of GOAL, unknown ranks and labels, a comment without end, and
/// receives of any source, whose sender depends on times.
GoalOperations read_goal_operations(const std::string& text);

}   // namespace oscar
