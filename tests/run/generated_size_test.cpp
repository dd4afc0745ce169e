// Coded sizes on traces that are generated like a captured one.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/fit_trace.hpp"
#include "sim/run/iteration/method_run.hpp"
#include "tests/run/support.hpp"

namespace oscar::generated_size_test {
namespace {

constexpr std::uint32_t ranks = 8;

double entropy(const std::vector<Symbol>& symbols) {
    std::map<Symbol, double> counts;
    for (const Symbol symbol : symbols) ++counts[symbol];
    double bits = 0;
    for (const auto& [symbol, count] : counts) bits -= count * std::log2(count / static_cast<double>(symbols.size()));
    return bits / static_cast<double>(symbols.size());
}

/// Of what the steps of a ring carry: sums of 1 to 7 ranks in the reduce-scatter, of 8 in 7 steps of the all-gather.
double ring_entropy(const IterationCodes& codes) {
    double bits = 7 * entropy(codes.sum);
    std::vector<Symbol> partial(codes.sum.size());
    for (std::uint32_t r = 0; r + 1 < ranks; ++r) {
        for (std::size_t i = 0; i < partial.size(); ++i) partial[i] += codes.codes[r][i];
        bits += entropy(partial);
    }
    return bits / 14;
}

/// Bits per value over all timesteps, mean over the `count` iterations from `first` on but the first, which warms up.
std::map<std::string, double> bits_per_value(const Trace& trace, const Quantiser& quantiser, std::size_t first,
                                             std::size_t count) {
    Parameters p;
    p.ranks = ranks;
    p.quantiser = quantiser;
    const Plan plan(make_schedule(p.collective, ranks), ElementType::integer, 8);
    const Replay replay(trace, ranks, choose_layers(trace.manifest(), ""));
    CodeSource source(replay.tensors(), replay.ranks(), quantiser);
    const auto elements = static_cast<std::uint32_t>(trace.elements());
    std::map<std::string, double> bits;
    const std::unique_ptr<Codec> codecs[] = {make_codec(AscParams{}, p.engine.framing()),
                                             make_codec(AtalantaParams{}, p.engine.framing())};
    std::vector<std::vector<RankState>> rank_states(2);
    for (std::size_t c = 0; c < 2; ++c)
        for (std::uint32_t r = 0; r < ranks; ++r) rank_states[c].emplace_back(plan, *codecs[c]);
    std::vector<Symbol> before;
    for (std::size_t i = first; i < first + count; ++i) {
        const IterationCodes codes = source.next(replay, static_cast<std::uint32_t>(i));
        if (i > first) bits["entropy"] += ring_entropy(codes) / static_cast<double>(count - 1);
        for (std::size_t c = 0; c < 2; ++c) {
            Counts counts;
            if (c == 1 && !before.empty()) codecs[c]->learn(before, plan.final_width(), counts);
            for (std::uint32_t r = 0; r < ranks; ++r) {
                if (!counts.empty())
                    rank_states[c][r].tables().set_profile(codecs[c]->make_table(counts, plan.final_width()));
                rank_states[c][r].begin(codes.codes[r], make_layout(EqualParams{}, elements, {ranks, 1}, {}),
                                        static_cast<std::uint8_t>(i));
            }
            std::uint64_t bytes = 0, values = 0;
            for (const MessageRecord& sent : run_reference(plan.schedule, rank_states[c]).records)
                bytes += sent.bytes, values += sent.values;
            for (RankState& rank_state : rank_states[c]) rank_state.commit();
            if (i > first)
                bits[c == 0 ? "asc" : "atalanta"] +=
                    8 * static_cast<double>(bytes) / static_cast<double>(values) / static_cast<double>(count - 1);
        }
        before = codes.codes.front();
    }
    return bits;
}

/// The stages of a trace, the first first.
std::vector<std::string> stages(const Trace& trace) {
    std::vector<std::string> names;
    for (const TraceIteration& iteration : trace.manifest().iterations)
        if (names.empty() || names.back() != iteration.stage) names.push_back(iteration.stage);
    return names;
}

/// A tenth, but where the model is known to miss (docs/trace-generator.md): there the miss must not grow.
double allowed(const std::string& trace_and_stage, const Quantiser& quantiser) {
    const std::set<std::pair<std::string, std::string>> misses = {{"lstm-kjv early", "per_tensor"},
                                                                  {"lstm-kjv late", "per_tensor"},
                                                                  {"lstm-kjv late", "percentile"},
                                                                  {"resnet20-fmnist late", "percentile"}};
    return misses.contains({trace_and_stage, std::string(quantiser.name())}) ? 0.15 : 0.1;
}

void compare(const std::filesystem::path& folder, const std::string& stage, std::uint64_t seed) {
    SCOPED_TRACE(folder.string() + " " + stage + ", seed " + std::to_string(seed));
    const testing::TemporaryFolder made;
    GenerateOptions options;
    options.output = (made.path() / "like").string();
    options.like = folder.string();
    options.stage = stage;
    options.seed = seed;
    generate_trace(options, [](const std::string&, double) {});
    const Trace captured = Trace::open(folder), generated = Trace::open(options.output);
    const FittedTrace fitted = fit_trace(captured, stage);
    for (const Quantiser& quantiser : {Quantiser(PercentileParams{}), Quantiser(PerTensorParams{})}) {
        const auto due = bits_per_value(captured, quantiser, fitted.first, fitted.count),
                   is = bits_per_value(generated, quantiser, 0, fitted.count);
        for (const auto& [name, bits] : due) {
            EXPECT_NEAR(is.at(name) / bits, 1, allowed(folder.filename().string() + " " + stage, quantiser))
                << quantiser.name() << " " << name;
            std::printf("%-14s %-6s %-10s %-8s captured %.2f generated %.2f bits (%+.1f %%)\n",
                        folder.filename().c_str(), stage.c_str(), std::string(quantiser.name()).c_str(), name.c_str(),
                        bits, is.at(name), 100 * (is.at(name) / bits - 1));
        }
    }
}

TEST(GeneratedTrace, CodesToTheSizeOfTheCapturedOneWithinTenPercentButForKnownMisses) {
    std::size_t compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator("traces")) {
        if (!entry.is_directory()) continue;
        const Trace trace = Trace::open(entry.path());
        if (trace.ranks() < ranks || trace.manifest().generator) continue;
        if (entry.path().filename().string().ends_with("-window"))
            continue;   // parts of tensors: docs/trace-generator.md
        for (const std::string& stage : stages(trace))
            for (const std::uint64_t seed : {1U, 2U, 3U}) compare(entry.path(), stage, seed);
        ++compared;
    }
    EXPECT_GE(compared, 1U);
}

}   // namespace
}   // namespace oscar::generated_size_test
