// Experiments without gradients, written by chance, and their reports.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/config/load.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/own_process.hpp"

namespace oscar::test {

/// Choices that a seed makes.
class Pick {
public:
    explicit Pick(std::uint64_t seed) : random_(seed) {}
    std::string of(std::initializer_list<const char*> values) { return values.begin()[random_() % values.size()]; }
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    bool coin() { return below(2) == 1; }

private:
    std::mt19937_64 random_;
};

/// A file with `payload: synthetic`, and what runs of it report.
struct SyntheticFile {
    using Json = nlohmann::ordered_json;

    explicit SyntheticFile(const std::string& yaml) : path(folder.write("exp.yaml", "payload: synthetic\n" + yaml)) {}
    Experiment load(const std::vector<std::string>& changes) const { return load_experiment(path, changes); }
    Json report(const std::vector<std::string>& changes) const {
        const std::string text = in_own_process([&] { return to_json(oscar::run(load(changes), ignore)).dump(); });
        Json json = Json::parse(text, nullptr, false);
        if (json.is_discarded()) throw std::runtime_error(text);
        return json;
    }
    testing::TemporaryFolder folder;
    std::filesystem::path path;
};

}   // namespace oscar::test
