// An order in which the steps of an algorithm of MSCCL can be performed.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/schedules/msccl_algorithm.hpp"

namespace oscar {

/// A step of an algorithm by its place.
struct MscclStepId {
    std::uint32_t gpu = 0, block = 0, step = 0;
};

inline constexpr std::size_t no_step = std::numeric_limits<std::size_t>::max();

/// A step in the order, with the places in the order of those that it follows.
struct OrderedStep {
    MscclStepId id;
    std::size_t sender = no_step;   ///< whose message it receives
    std::size_t waited = no_step;   ///< that it waits for by depid and deps
};

bool receives(const MscclStep& step);
bool sends(const MscclStep& step);
/// "gpu 1, tb 0, step 2".
std::string to_text(MscclStepId id);

/// The steps, round by round: in each, every threadblock performs one step if all that it waits for was there before.
/// A connection (two GPUs and a channel) delivers in the order of its sends.
/// InputError, which names GPU, threadblock and step: threadblocks that wait for each other or for what never comes,
/// messages that nobody receives or that have another number of chunks, sends to no other GPU.
std::vector<OrderedStep> order_of(const MscclAlgorithm& algorithm);

/// InputError, which names both steps, if two steps use one place, one of them writes it, and nothing says which comes
/// first: neither the order of a threadblock, nor a wait (depid, deps), nor a message. `order`: of order_of().
void check_races(const MscclAlgorithm& algorithm, const std::vector<OrderedStep>& order);

}   // namespace oscar
