// Captures, iterations and a machine made by the tests of sim/.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/machine/machine.hpp"
#include "models/network/core/overrides.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/replay/codes.hpp"
#include "tests/collective/support.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::test {

using Gradients = std::vector<std::vector<float>>;   ///< [rank][element]

/// A capture to be written. Its layers tile the gradient.
struct Capture {
    std::vector<std::uint64_t> steps;         ///< training step of each iteration
    std::vector<Gradients> gradients;         ///< of each iteration
    std::vector<std::uint64_t> layers = {};   ///< sizes; none: one layer
    std::vector<std::string> ready = {};      ///< of each layer, like "5us"; none: not told
};

/// Writes the capture to the folder `name` below `folder` and returns its path.
inline std::filesystem::path write_trace(const testing::TemporaryFolder& folder, const std::string& name,
                                         const Capture& capture) {
    std::filesystem::create_directories(folder.path() / name);
    const std::size_t ranks = capture.gradients[0].size(), elements = capture.gradients[0][0].size();
    const auto layers = capture.layers.empty() ? std::vector<std::uint64_t>{elements} : capture.layers;
    std::string yaml = "format: 1\nname: captured by hand\nparameters: " + std::to_string(elements) +
                       "\nranks: " + std::to_string(ranks) + "\nlayers:\n";
    for (std::size_t l = 0; l < layers.size(); ++l)
        yaml += "  - {name: layer, shape: [" + std::to_string(layers[l]) + "]" +
                (capture.ready.empty() ? "" : ", ready: " + capture.ready[l]) + "}\n";
    yaml += "iterations:\n";
    for (std::size_t i = 0; i < capture.steps.size(); ++i) {
        const std::string file = "array-" + std::to_string(i) + ".npy";
        yaml += "  - {file: " + file + ", step: " + std::to_string(capture.steps[i]) + "}\n";
        std::vector<float> values;
        for (const auto& rank : capture.gradients[i]) values.insert(values.end(), rank.begin(), rank.end());
        folder.write(name + "/" + file, testing::npy_file(ranks, elements, values));
    }
    folder.write(name + "/trace.yaml", yaml);
    return folder.path() / name;
}

/// Gradients with many small and few large values, the same for the same seed.
inline Gradients random_gradients(std::uint32_t ranks, std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Gradients result(ranks, std::vector<float>(elements));
    for (auto& rank : result)
        for (float& value : rank) {
            const float uniform = static_cast<float>(random() % 20'001) / 10'000.f - 1;   // -1 .. 1
            value = uniform * uniform * uniform;
        }
    return result;
}

/// Consecutive training steps, `count` of them.
inline Capture random_capture(std::uint32_t count, std::uint32_t ranks, std::uint32_t elements) {
    Capture capture;
    for (std::uint32_t i = 0; i < count; ++i) {
        capture.steps.push_back(10 + i);
        capture.gradients.push_back(random_gradients(ranks, elements, i));
    }
    return capture;
}

/// An iteration of given codes at a step of 1/4, which fp32 holds without error.
inline IterationCodes iteration_of(std::uint32_t position, bool continues, std::vector<std::vector<Symbol>> codes) {
    IterationCodes it;
    it.position = position;
    it.continues = continues;
    for (const auto& rank : codes) {
        auto& gradient = it.gradients.emplace_back();
        for (const Symbol code : rank) gradient.push_back(0.25f * static_cast<float>(code));
    }
    it.sum = exact_sum(codes);
    it.codes = std::move(codes);
    return it;
}

/// Codes of 8 bits whose first quarter is wide and whose rest is nearly always zero; [ranks][elements].
inline std::vector<std::vector<Symbol>> uneven_codes(std::uint32_t ranks, std::uint32_t elements, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<std::vector<Symbol>> result(ranks, std::vector<Symbol>(elements));
    for (auto& rank : result)
        for (std::uint32_t i = 0; i < elements; ++i)
            rank[i] = i < elements / 4 ? static_cast<Symbol>(random() % 201) - 100 : Symbol{random() % 50 == 0};
    return result;
}

/// `ranks` on one switch, with the defaults of an experiment. One per test, or some of different names that are all
/// made before any of them runs.
struct SmallMachine {
    explicit SmallMachine(std::uint32_t ranks = 4) : SmallMachine(of(ranks)) {}
    explicit SmallMachine(const Parameters& p, const char* name = "machine")
        : parameters(p),
          topology(make_topology(parameters.network, parameters.ranks)),
          routes(topology, parameters.network.routing),
          system(name, topology, {parameters.gpu, parameters.nic, parameters.engine}, parameters.network) {}
    static Parameters of(std::uint32_t ranks) {
        Parameters p;
        p.ranks = ranks;
        return p;
    }

    Parameters parameters;
    Topology topology;
    Routes routes;
    oscar::Machine system;
};

/// The exchange of `groups` peaks among `ranks` on a star with all defaults, out of the numbers of docs/time.md
/// alone: one packet of 4 bytes a group and 82 of header, 400 Gbit/s (20 ps a byte), 500 ns a cable, 300 ns and a flit
/// of 64 B in the switch, 100 ns in each NIC. In the first of ranks-1 timesteps DMA adds 700 ns and 4 bytes a group at
/// 461 Gbit/s; what is handed on is in the NIC, and nothing is written back.
inline Time exchange_by_hand(std::uint32_t ranks, std::uint32_t groups) {
    const std::int64_t wire = 20 * (4 * std::int64_t{groups} + 82);
    const std::int64_t step = 100'000 + wire + 500'000 + 20 * 64 + 300'000 + 500'000 + 100'000;
    const std::int64_t dma = 700'000 + (4 * std::int64_t{groups} * 8'000 + 460) / 461;   // rounded up
    return {dma + (ranks - 1) * step};
}

}   // namespace oscar::test
