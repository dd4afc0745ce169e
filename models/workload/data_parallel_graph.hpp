// The graph of a data-parallel step: forward and backward pass, AllReduces of buckets, optimiser.
#pragma once

#include <vector>

#include "models/workload/graph.hpp"
#include "models/workload/training_step.hpp"

namespace oscar {

struct DataParallelGraph {
    Graph graph;                   ///< exchange b is the AllReduce of bucket b
    std::vector<TaskId> ready;     ///< per bucket, the part of the backward pass that completes its gradients
    std::vector<TaskId> buckets;   ///< their AllReduces
    TaskId optimiser;
};

/// One stream computes, and one carries the buckets in their order, each once it is ready. The optimiser waits for the
/// last of them. Source: Li et al., PyTorch Distributed, VLDB 2020, section 3.2.3.
DataParallelGraph data_parallel_graph(const StepCompute& compute);

}   // namespace oscar
