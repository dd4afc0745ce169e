// A collective whose steps a list gives: schedules of others, and those that a script writes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

constexpr auto choices(Op) {
    return std::array{Choice{"copy", Op::copy, "replaces what the receiver has of the chunk"},
                      Choice{"reduce", Op::reduce, "is added to what the receiver has of the chunk"}};
}

/// One message.
struct ListedStep {
    std::uint32_t from = 0, to = 1, chunk = 0;
    Op op = Op::copy;
    static constexpr auto fields() {
        using L = ListedStep;
        return Entries{
            field("from", &L::from, "sending rank", 0u, 4095u),
            field("to", &L::to, "receiving rank", 0u, 4095u),
            field("chunk", &L::chunk, "which of the equal parts of the bucket it carries", 0u, 16'777'215u),
            field("op", &L::op, "what the receiver does with it"),
        };
    }
    friend bool operator==(const ListedStep&, const ListedStep&) = default;
};

/// Values of one chunk at a rank: its own, if `own`, and those that these steps brought it, added up in this order.
struct ListedSum {
    bool own = true;
    std::vector<std::uint32_t> steps = {};
    friend bool operator==(const ListedSum&, const ListedSum&) = default;
};

/// What the steps of a list carry and its ranks end with, where each may hold several sums of a chunk at once.
struct ListedSums {
    std::uint32_t chunks = 0;
    std::vector<ListedSum> carried;   ///< per step; of steps before it in the list
    std::vector<ListedSum> results;   ///< [rank * chunks + chunk]
};

struct ListedScheduleParams : CollectiveParams {
    std::string file;
    Operation operation = Operation::all_reduce;
    std::vector<ListedStep> steps = {};
    std::optional<ListedSums> sums = {};   ///< of a file; without it, a rank has one sum of a chunk
    std::string unused = {};               ///< what the file says that has no effect, like "proto LL"
    static constexpr auto fields() {
        using L = ListedScheduleParams;
        return concatenate(
            fields_of<L>(),
            Entries{
                field("file", &L::file,
                      "file of the steps, an algorithm of MSCCL (.xml), or of messages, GOAL (.goal); none: the list"),
                field("operation", &L::operation, "what the steps perform; of a file: what it says"),
                field("steps", &L::steps,
                      "messages in an order in which they could be sent; none: those of a ring AllReduce"),
            });
    }
};

/// The list, or without one the steps of a ring AllReduce.
std::vector<ListedStep> steps_of(const ListedScheduleParams& params, std::uint32_t ranks);

/// One more than the last chunk of the list, or as many as the operation then needs: a multiple of the ranks with a
/// chunk for each rank, of their square with one for each pair.
std::uint32_t chunks_of(const ListedScheduleParams& params, std::uint32_t ranks);

/// A step waits for all that made up its chunk at its sender, or for what `sums` says, and is in the first timestep
/// that this allows. Where one sum of a chunk at each rank comes to the same as `sums`, the schedule has no scratch.
/// Throws std::invalid_argument: an end is no rank, or both are one; the steps do not perform the operation in each
/// order that their data leaves open (find_problem). Precondition: ranks >= 2.
Schedule make_schedule(const ListedScheduleParams& params, std::uint32_t ranks);

}   // namespace oscar
