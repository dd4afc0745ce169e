// Captures made by the tests of what reads them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

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

}   // namespace oscar::test
