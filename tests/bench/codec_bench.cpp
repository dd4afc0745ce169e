// Symbols per second of each listed codec on one thread, beside memcpy of the same symbols.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <string>

#include "models/codec/codecs.hpp"

namespace oscar {
namespace {

constexpr std::size_t symbols_per_run = 1 << 20;

/// Two-sided geometric int8 symbols: P(|v| = k) falls by the factor `ratio` per step. Ratio 0.40 has an entropy of
/// about 2 bits, 0.75 of about 4.
std::vector<Symbol> geometric(double ratio) {
    std::mt19937_64 random(1);
    std::vector<Symbol> symbols(symbols_per_run);
    for (Symbol& symbol : symbols) {
        const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
        const double size = std::min(127.0, std::floor(std::log(1.0 - uniform) / std::log(ratio)));
        symbol = (random() & 1) != 0 ? static_cast<Symbol>(-size) : static_cast<Symbol>(size);
    }
    return symbols;
}

double entropy_bits(const std::vector<Symbol>& symbols) {
    std::array<double, 256> counts{};
    for (const Symbol symbol : symbols) ++counts[static_cast<std::size_t>(symbol + 128)];
    double bits = 0;
    for (const double count : counts)
        if (count > 0) bits -= count * std::log2(count / static_cast<double>(symbols.size()));
    return bits / static_cast<double>(symbols.size());
}

struct Case {
    std::unique_ptr<Codec> codec;
    std::vector<Symbol> symbols;
    std::optional<Table> table;
    Context context{.width = 8};

    Case(const CodecChoice& choice, double ratio) : codec(make_codec(choice, Framing{})), symbols(geometric(ratio)) {
        Counts counts;
        codec->learn(symbols, context.width, counts);
        if (!counts.empty()) table = codec->make_table(counts, context.width);
    }
    const Table* table_or_null() const { return table ? &*table : nullptr; }
};

void report(benchmark::State& state, const Case& c, std::size_t bytes) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * c.symbols.size()));
    state.counters["entropy"] = entropy_bits(c.symbols);
    state.counters["bits/value"] = 8.0 * static_cast<double>(bytes) / static_cast<double>(c.symbols.size());
}

void encode(benchmark::State& state, const CodecChoice& choice, double ratio) {
    const Case c(choice, ratio);
    Encoded encoded;
    for (auto _ : state) {
        encoded = c.codec->encode(c.symbols, c.context, c.table_or_null());
        benchmark::DoNotOptimize(encoded.bytes.data());
    }
    report(state, c, encoded.bytes.size());
}

void decode(benchmark::State& state, const CodecChoice& choice, double ratio) {
    const Case c(choice, ratio);
    const Encoded encoded = c.codec->encode(c.symbols, c.context, c.table_or_null());
    std::vector<Symbol> out(c.symbols.size());
    for (auto _ : state) {
        c.codec->decode(encoded.bytes, c.context, c.table_or_null(), out);
        benchmark::DoNotOptimize(out.data());
    }
    report(state, c, encoded.bytes.size());
}

void copy(benchmark::State& state) {
    const std::vector<Symbol> symbols = geometric(0.40);
    std::vector<Symbol> out(symbols.size());
    for (auto _ : state) {
        std::memcpy(out.data(), symbols.data(), symbols.size() * sizeof(Symbol));
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * symbols.size()));
}

void make_table(benchmark::State& state, std::uint32_t width) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    Counts counts;
    codec->learn(geometric(0.75), width, counts);
    for (auto _ : state) benchmark::DoNotOptimize(codec->make_table(counts, width));
}

const bool registered = [] {
    benchmark::RegisterBenchmark("memcpy", copy);
    for_each_kind(codecs, []<class P>(const Kind<P>& kind) {
        for (const auto& [bits, ratio] : {std::pair{"2b", 0.40}, std::pair{"4b", 0.75}}) {
            const std::string name = std::string(kind.name) + "/" + bits;
            benchmark::RegisterBenchmark(("encode/" + name).c_str(), encode, CodecChoice(P{}), ratio);
            benchmark::RegisterBenchmark(("decode/" + name).c_str(), decode, CodecChoice(P{}), ratio);
        }
    });
    for (const std::uint32_t width : {8u, 11u, 24u})
        benchmark::RegisterBenchmark(("atalanta_table/" + std::to_string(width)).c_str(), make_table, width);
    return true;
}();

}   // namespace
}   // namespace oscar
