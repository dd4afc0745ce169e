// Symbols per second of each listed codec on one thread, beside memcpy and level 1 of zstd on the same symbols:
// synthetic ones, and the codes and the sums of the shipped trace.
#include <benchmark/benchmark.h>
#include <zstd.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>

#include "models/codec/kinds/codecs.hpp"
#include "sim/replay/codes.hpp"

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

/// Codes of all ranks, or sums of them, over the last iterations of the shipped trace at int8, 99.9th percentile.
std::vector<Symbol> captured(bool sums) {
    const Trace trace = Trace::open("traces/lenet-fmnist");
    const Replay replay(trace, trace.ranks(), choose_layers(trace.manifest(), ""));
    CodeSource source(replay.tensors(), replay.ranks(), PercentileParams{});
    std::vector<Symbol> symbols;
    for (std::uint32_t position = 4; position < 8; ++position) {
        const IterationCodes codes = source.next(replay, position);
        if (sums) symbols.insert(symbols.end(), codes.sum.begin(), codes.sum.end());
        else
            for (const auto& rank : codes.codes) symbols.insert(symbols.end(), rank.begin(), rank.end());
    }
    return symbols;
}

double entropy_bits(const std::vector<Symbol>& symbols) {
    std::map<Symbol, double> counts;
    for (const Symbol symbol : symbols) ++counts[symbol];
    double bits = 0;
    for (const auto& [symbol, count] : counts) bits -= count * std::log2(count / static_cast<double>(symbols.size()));
    return bits / static_cast<double>(symbols.size());
}

/// Symbols to be coded, and what both ends know of their width.
struct Source {
    const char* name;
    std::uint32_t width;
    std::function<std::vector<Symbol>()> make;
};

struct Case {
    std::unique_ptr<Codec> codec;
    std::vector<Symbol> symbols;
    std::optional<Table> table;
    Context context;

    Case(const CodecChoice& choice, const Source& source)
        : codec(make_codec(choice, Framing{})), symbols(source.make()), context{.width = source.width} {
        Counts counts;
        codec->learn(symbols, context.width, counts);
        if (!counts.empty()) table = codec->make_table(counts, context.width);
    }
    const Table* table_or_null() const { return table ? &*table : nullptr; }
};

void report(benchmark::State& state, const std::vector<Symbol>& symbols, std::size_t bytes) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * symbols.size()));
    state.counters["entropy"] = entropy_bits(symbols);
    state.counters["bits/value"] = 8.0 * static_cast<double>(bytes) / static_cast<double>(symbols.size());
}

void encode(benchmark::State& state, const CodecChoice& choice, const Source& source) {
    const Case c(choice, source);
    Encoded encoded;
    for (auto _ : state) {
        encoded = c.codec->encode(c.symbols, c.context, c.table_or_null());
        benchmark::DoNotOptimize(encoded.bytes.data());
    }
    report(state, c.symbols, encoded.bytes.size());
}

/// The sizes of the blocks without their bytes (payload: size_only).
void size(benchmark::State& state, const CodecChoice& choice, const Source& source) {
    const Case c(choice, source);
    std::vector<Block> blocks;
    for (auto _ : state) {
        blocks = c.codec->sized_blocks(c.symbols, c.context, c.table_or_null());
        benchmark::DoNotOptimize(blocks.data());
    }
    report(state, c.symbols, Encoded{{}, blocks}.size());
}

/// What both ends do for the next table: all symbols counted, and one table made. The share is of that and of encoding.
void learn(benchmark::State& state, const CodecChoice& choice, const Source& source) {
    const Case c(choice, source);
    const auto seconds = [](auto&& work) {   // of processor time, over enough runs for the clock
        const std::clock_t start = std::clock();
        int runs = 0;
        for (; std::clock() - start < CLOCKS_PER_SEC / 10; ++runs) work();
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / runs;
    };
    const auto learn_once = [&] {
        Counts counts;
        c.codec->learn(c.symbols, c.context.width, counts);
        benchmark::DoNotOptimize(c.codec->make_table(counts, c.context.width));
    };
    const double encoding = seconds(
        [&] { benchmark::DoNotOptimize(c.codec->encode(c.symbols, c.context, c.table_or_null()).bytes.data()); });
    const double learning = seconds(learn_once);
    for (auto _ : state) learn_once();
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * c.symbols.size()));
    state.counters["share"] = learning / (learning + encoding);
}

void decode(benchmark::State& state, const CodecChoice& choice, const Source& source) {
    const Case c(choice, source);
    const Encoded encoded = c.codec->encode(c.symbols, c.context, c.table_or_null());
    std::vector<Symbol> out(c.symbols.size());
    for (auto _ : state) {
        c.codec->decode(encoded.bytes, c.context, c.table_or_null(), out);
        benchmark::DoNotOptimize(out.data());
    }
    report(state, c.symbols, encoded.bytes.size());
}

/// The symbols as a program would hand them to zstd: in as few whole bytes as their width needs.
std::vector<std::byte> whole_bytes(const std::vector<Symbol>& symbols, std::uint32_t width) {
    std::vector<std::byte> bytes;
    for (const Symbol symbol : symbols)
        for (std::uint32_t bit = 0; bit < width; bit += 8)
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(symbol) >> bit & 0xFF));
    return bytes;
}

void zstd_encode(benchmark::State& state, const Source& source) {
    const auto symbols = source.make();
    const auto bytes = whole_bytes(symbols, source.width);
    std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
    std::size_t size = 0;
    for (auto _ : state) {
        size = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1);
        benchmark::DoNotOptimize(packed.data());
    }
    report(state, symbols, size);
}

void zstd_decode(benchmark::State& state, const Source& source) {
    const auto symbols = source.make();
    auto bytes = whole_bytes(symbols, source.width);
    std::vector<std::byte> packed(ZSTD_compressBound(bytes.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
    for (auto _ : state) {
        ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
        benchmark::DoNotOptimize(bytes.data());
    }
    report(state, symbols, packed.size());
}

void copy(benchmark::State& state, const Source& source) {
    const auto symbols = source.make();
    std::vector<Symbol> out(symbols.size());
    for (auto _ : state) {
        std::memcpy(out.data(), symbols.data(), symbols.size() * sizeof(Symbol));
        benchmark::DoNotOptimize(out.data());
        benchmark::ClobberMemory();
    }
    report(state, symbols, symbols.size() * sizeof(Symbol));
}

void make_table(benchmark::State& state, std::uint32_t width) {
    const auto codec = make_codec(AtalantaParams{}, Framing{});
    Counts counts;
    codec->learn(geometric(0.75), width, counts);
    for (auto _ : state) benchmark::DoNotOptimize(codec->make_table(counts, width));
}

const bool registered = [] {
    const auto add = [](const std::string& name, auto function, auto... arguments) {
        benchmark::RegisterBenchmark(name.c_str(), function, arguments...);
    };
    for (const Source& source :
         {Source{"2b", 8, [] { return geometric(0.40); }}, Source{"4b", 8, [] { return geometric(0.75); }},
          Source{"codes", 8, [] { return captured(false); }}, Source{"sums", 11, [] { return captured(true); }}}) {
        const std::string behind = std::string("/") + source.name;
        add("memcpy" + behind, copy, source);
        add("encode/zstd1" + behind, zstd_encode, source);
        add("decode/zstd1" + behind, zstd_decode, source);
        for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
            add("encode/" + std::string(kind.name) + behind, encode, CodecChoice(P{}), source);
            add("decode/" + std::string(kind.name) + behind, decode, CodecChoice(P{}), source);
            add("size/" + std::string(kind.name) + behind, size, CodecChoice(P{}), source);
            if (Case(CodecChoice(P{}), Source{"", 8, [] { return std::vector<Symbol>{1}; }}).table)
                add("learn/" + std::string(kind.name) + behind, learn, CodecChoice(P{}), source);
        });
    }
    for (const std::uint32_t width : {8u, 11u, 24u})
        benchmark::RegisterBenchmark(("atalanta_table/" + std::to_string(width)).c_str(), make_table, width);
    return true;
}();

}   // namespace
}   // namespace oscar
