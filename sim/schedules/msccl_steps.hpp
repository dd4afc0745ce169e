// The messages of an algorithm of MSCCL, in an order in which they could be sent.
#pragma once

#include <vector>

#include "models/collective/algorithms/listed_schedule.hpp"
#include "sim/schedules/msccl_algorithm.hpp"

namespace oscar {

/// What a schedule of the same operation needs of an algorithm.
struct MscclSchedule {
    Operation operation;
    std::vector<ListedStep> steps;
};

/// Runs the threadblocks of an algorithm on names of chunks instead of values, and lists what they send each other. A
/// rank has one place for each chunk of the result: what is received into scratch to be added or copied from there
/// goes to that place at once. Waits of threadblocks for each other that no data asks for are dropped.
/// InputError without the file's name, which names GPU, threadblock and step: another collective than allreduce,
/// allgather, reduce_scatter and alltoall; threadblocks that wait for each other; a chunk that goes to the place of
/// another; scratch that is used in another way, such as a sum that is made in it.
MscclSchedule schedule_of(const MscclAlgorithm& algorithm);

}   // namespace oscar
