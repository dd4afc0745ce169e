// Symbols per second of the arithmetic coder of 64 lanes on one thread, with each instruction set that this host has:
// one table of either layout, four tables by class, adaptive tables, and sizes without bytes.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "models/codec/entropy/lane_costs.hpp"
#include "models/codec/entropy/lane_sizes.hpp"
#include "models/codec/entropy/lane_streams.hpp"
#include "models/codec/learning/row_learning.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t lanes = 64, width = 8;
constexpr std::size_t block = lanes * 1024;

/// One block and its tables.
struct Setting {
    const char* name;
    double ratio = 0.40;   ///< P(|v| = k) falls by this factor per step: 0.40 has about 2 bits of entropy, 0.75 about 4
    Layout layout = Layout::magnitude;
    std::uint32_t classes = 1;
    Update update = Update::none;
};
constexpr std::array settings{
    Setting{"2b"},
    Setting{"4b", 0.75},
    Setting{"4b,ranges", 0.75, Layout::ranges},
    Setting{"2b,4_classes", 0.40, Layout::magnitude, 4},
    Setting{"4b,ranges,4_classes", 0.75, Layout::ranges, 4},
    Setting{"2b,block", 0.40, Layout::magnitude, 1, Update::block},
    Setting{"2b,symbol", 0.40, Layout::magnitude, 1, Update::symbol},
    Setting{"2b,4_classes,block", 0.40, Layout::magnitude, 4, Update::block},
    Setting{"2b,4_classes,symbol", 0.40, Layout::magnitude, 4, Update::symbol},
};

/// Two-sided geometric symbols, random classes, and a table of each class.
class Case {
public:
    explicit Case(const Setting& setting) : symbols(block), adaptation{.update = setting.update}, of_class_(block) {
        std::mt19937_64 random(1);
        std::vector<std::vector<Symbol>> by_class(setting.classes);
        for (std::size_t i = 0; i < block; ++i) {
            const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
            const double size = std::min(127.0, std::floor(std::log(1.0 - uniform) / std::log(setting.ratio)));
            symbols[i] = static_cast<Symbol>((random() & 1) != 0 ? -size : size);
            of_class_[i] = static_cast<std::uint8_t>(random() % setting.classes);
            by_class[of_class_[i]].push_back(symbols[i]);
        }
        for (const auto& each : by_class) {
            Counts counts;
            learn_rows(setting.layout, each, width, counts);
            owned_.push_back(table_of_counts(setting.layout, counts, width));
        }
        for (const Table& table : owned_) pointers_.push_back(&table);
    }
    Case(const Case&) = delete;
    Tables tables() const { return pointers_.size() == 1 ? Tables(pointers_.front()) : Tables(pointers_, of_class_); }

    std::vector<Symbol> symbols;
    Adaptation adaptation;

private:
    std::vector<std::uint8_t> of_class_;
    std::vector<Table> owned_;
    std::vector<const Table*> pointers_;
};

void report(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(block)); }

void encode(benchmark::State& state, const Setting& setting, InstructionSet form) {
    const Case c(setting);
    for (auto _ : state)
        benchmark::DoNotOptimize(encode_lanes(c.symbols, lanes, c.tables(), c.adaptation, form).bytes.data());
    report(state);
}

void decode(benchmark::State& state, const Setting& setting, InstructionSet form) {
    const Case c(setting);
    const LaneStreams streams = encode_lanes(c.symbols, lanes, c.tables(), c.adaptation, form);
    std::vector<Symbol> out(block);
    for (auto _ : state) {
        decode_lanes(streams.bytes, streams.lengths, c.tables(), c.adaptation, width, out, form);
        benchmark::DoNotOptimize(out.data());
    }
    report(state);
}

/// The costs of the symbols of each lane, which are most of the work of size_lanes().
void cost(benchmark::State& state, const Setting& setting, InstructionSet form) {
    const Case c(setting);
    std::vector<RowBits> bits;
    for (std::size_t k = 0; k < c.tables().count(); ++k)
        bits.push_back(arithmetic_bits(c.tables().of_class(k)->cumulative));
    for (auto _ : state) benchmark::DoNotOptimize(lane_costs(c.symbols, width, lanes, c.tables(), bits, form).data());
    report(state);
}

/// Sizes of a block without its bytes (payload: size_only).
void size(benchmark::State& state, const Setting& setting) {
    const Case c(setting);
    for (auto _ : state) benchmark::DoNotOptimize(size_lanes(c.symbols, width, lanes, c.tables())->bytes);
    report(state);
}

const bool registered = [] {
    for (const Setting& setting : settings)
        for (const InstructionSet form : instruction_sets) {
            const std::string behind = std::string("/") + setting.name + "/" + std::string(name_of(form));
            if (!available(form)) continue;
            benchmark::RegisterBenchmark(("encode/lanes" + behind).c_str(), encode, setting, form);
            benchmark::RegisterBenchmark(("decode/lanes" + behind).c_str(), decode, setting, form);
            if (setting.update == Update::none)
                benchmark::RegisterBenchmark(("cost/lanes" + behind).c_str(), cost, setting, form);
        }
    for (const Setting& setting : settings)
        if (setting.update == Update::none)
            benchmark::RegisterBenchmark((std::string("size/lanes/") + setting.name).c_str(), size, setting);
    return true;
}();

}   // namespace
}   // namespace oscar
