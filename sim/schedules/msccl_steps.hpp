// The messages of an algorithm of MSCCL, in an order in which they could be sent.
#pragma once

#include "models/collective/algorithms/listed/listed_schedule.hpp"
#include "sim/schedules/msccl_algorithm.hpp"

namespace oscar {

/// What a schedule of the same operation needs of an algorithm.
struct MscclSchedule {
    Operation operation;
    std::vector<ListedStep> steps;
    ListedSums sums;
};

/// Runs the threadblocks of an algorithm on names of sums instead of values, and lists what they send each other, one
/// message a chunk. A message carries what stood in its place when it was sent: which of the messages that had come,
/// and whether the sender's own values, were added up there. Sums may be made in input, output and scratch.
/// InputError without the file's name, which names GPU, threadblock and step: another collective than allreduce,
/// allgather, reduce_scatter and alltoall; threadblocks that wait for each other; a message that nobody receives; a
/// chunk that goes to the place of another; two steps on one place that nothing orders (check_races()).
MscclSchedule schedule_of(const MscclAlgorithm& algorithm);

}   // namespace oscar
