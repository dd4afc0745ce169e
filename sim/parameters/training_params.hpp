// What a training file says beside its machine, and the price list of a GPU that it names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/compressor/compressors.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

struct ComputeParams {
    Time forward, backward, optimiser;
    static constexpr auto fields() {
        return Entries{field("forward", &ComputeParams::forward, "time of the forward pass of a step"),
                       field("backward", &ComputeParams::backward, "time of the backward pass"),
                       field("optimiser", &ComputeParams::optimiser, "time of the optimiser")};
    }
};

/// The keys of a training file beside the machine and the methods.
struct TrainingParams {
    std::string workload, gpu, name;
    ComputeParams compute;
    double scale = 1, learning_rate = 0;
    std::uint32_t ranks = 8, steps = 0, epoch = 100, evaluate = 50;
    std::vector<std::uint32_t> seeds{1, 2, 3};
    static constexpr auto fields() {
        constexpr std::uint32_t most = (1U << 31) - 1;
        using P = TrainingParams;
        return Entries{
            field("workload", &P::workload, "what is trained: a workload of python/oscar_workloads"),
            field("compute", &P::compute, "times of every worker's passes"),
            field("gpu", &P::gpu,
                  "file with the bytes or seconds of a compressor's operations, like gpu/estimated.yaml"),
            field("scale", &P::scale, "how many times as large the model is that the clock counts for", 1e-9, 1e9),
            field("ranks", &P::ranks, "workers", 2U, most),
            field("steps", &P::steps, "optimiser steps; 0: those of the workload", 0U, most),
            field("learning_rate", &P::learning_rate, "0: that of the workload", 0.0, 1e9),
            field("epoch", &P::epoch, "steps that controllers take for an epoch", 1U, most),
            field("evaluate", &P::evaluate, "steps between evaluations", 1U, most),
            field("name", &P::name, "folder of the records; default: the name of the file"),
            field("seeds", &P::seeds, "one training each")};
    }
};

/// The lossless method of a training: codes of the NIC.
struct OscarHwParams {
    OneOf<quantisers> quantiser;
    Method codec;
    OneOf<chunk_kinds> chunks;
    OneOf<classifiers> classes;
    std::uint32_t every = 4;
    static constexpr auto fields() {
        using P = OscarHwParams;
        return Entries{field("quantiser", &P::quantiser, "fixed-point codes; agreement is exact"),
                       field("codec", &P::codec, "a method of an experiment"),
                       field("chunks", &P::chunks, "partition of the bucket into chunks"),
                       field("classes", &P::classes, "class of an element"),
                       field("every", &P::every, "of the steps alike, every so many is simulated", 1U, 1U << 30)};
    }
};

/// The methods of a training: all lossy compressors, and the codes of the NIC.
inline constexpr auto training_kinds =
    concatenate(lossy_kinds, Entries{kind<OscarHwParams>("oscar_hw", "fixed point that the NIC codes without loss")});
using TrainingKind = OneOf<training_kinds>;

/// A price for each operation that compressors count (ComputeCost), and for the launch of a kernel.
struct OperationPrices {
    std::optional<double> elements, comparisons, hashes, additions, multiplications, draws, launch;
    static constexpr auto fields() {
        using P = OperationPrices;
        return Entries{price("elements", &P::elements, "an element that is read and written in a pass"),
                       price("comparisons", &P::comparisons, "a comparison of a selection"),
                       price("hashes", &P::hashes, "a hash"),
                       price("additions", &P::additions, "an addition into a sketch, residual or sum"),
                       price("multiplications", &P::multiplications, "a multiplication of a product or transform"),
                       price("draws", &P::draws, "a random number"),
                       price("launch", &P::launch, "a launch of a kernel; seconds alone")};
    }

private:
    using Price = std::optional<double>;
    static constexpr Field<OperationPrices, Price> price(std::string_view key, Price OperationPrices::*member,
                                                         std::string_view meaning) {
        return field(key, member, meaning, 0.0, 1e18);
    }
};

/// A file of configs/training/gpu: an operation has its bytes, which the GPU's memory moves, or its seconds.
struct PriceList {
    std::string source;
    OperationPrices bytes, seconds;
    static constexpr auto fields() {
        return Entries{field("source", &PriceList::source, "where the prices come from, in words"),
                       field("bytes", &PriceList::bytes, "bytes that an operation moves"),
                       field("seconds", &PriceList::seconds, "seconds that an operation takes")};
    }
};

}   // namespace oscar
