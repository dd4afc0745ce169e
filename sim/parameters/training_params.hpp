// What a training file says beside its machine and its methods.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/fields.hpp"

namespace oscar {

/// The keys of a training file beside the machine and the methods.
struct TrainingParams {
    std::string workload, name;
    double learning_rate = 0;
    std::uint32_t ranks = 8, steps = 0, epoch = 100, evaluate = 50;
    std::vector<std::uint32_t> seeds{1, 2, 3};
    static constexpr auto fields() {
        constexpr std::uint32_t most = (1U << 31) - 1;
        using P = TrainingParams;
        return Entries{field("workload", &P::workload, "what is trained: a workload of python/oscar_workloads"),
                       field("ranks", &P::ranks, "workers", 2U, most),
                       field("steps", &P::steps, "optimiser steps; 0: those of the workload", 0U, most),
                       field("learning_rate", &P::learning_rate, "0: that of the workload", 0.0, 1e9),
                       field("epoch", &P::epoch, "steps that controllers take for an epoch", 1U, most),
                       field("evaluate", &P::evaluate, "steps between evaluations", 1U, most),
                       field("name", &P::name, "folder of the records; default: the name of the file"),
                       field("seeds", &P::seeds, "one training each")};
    }
};

}   // namespace oscar
