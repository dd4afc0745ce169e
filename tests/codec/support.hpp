// What the tests of the codecs share: sources of symbols, and bytes as text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/codec/kinds/codecs.hpp"

namespace oscar {

inline void PrintTo(const Block& block, std::ostream* out) {
    *out << "{values " << block.first_value << "+" << block.values << ", bytes " << block.offset << "+" << block.bytes
         << ", sub_stream_slots " << block.work.sub_stream_slots << ", stalls " << block.work.stalls << ", offset_bits "
         << block.work.offset_bits << "}";
}

/// "72 84 a3"
inline std::string hex(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte b : bytes) {
        if (!text.empty()) text += ' ';
        text += digits[static_cast<std::size_t>(b) >> 4];
        text += digits[static_cast<std::size_t>(b) & 15];
    }
    return text;
}

/// Whether a codec sends memory words, which take any symbol of their size.
inline bool sends_words(const CodecChoice& choice) {
    return choice.name() == "fp32" || choice.name() == "bf16" || choice.name() == "fp8";
}

/// The largest symbol that is legal at `width` bits.
inline Symbol largest(std::uint32_t width) { return static_cast<Symbol>((std::uint32_t{1} << (width - 1)) - 1); }

/// Legal symbols of a named kind at any width: two-sided geometric, uniform, one value repeated, alternating extremes.
inline std::vector<Symbol> make_symbols(std::string_view distribution, std::size_t size, std::uint32_t width,
                                        std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const std::int64_t top = largest(width);
    const auto uniform = [&] {
        return static_cast<Symbol>(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * top + 1)) - top);
    };
    const Symbol constant = uniform();
    std::vector<Symbol> symbols(size);
    for (std::size_t i = 0; i < size; ++i) {
        if (distribution == "geometric") {
            std::int64_t magnitude = 0;
            while (magnitude < top && random() % 3 != 0) ++magnitude;
            symbols[i] = static_cast<Symbol>(random() % 2 != 0 ? magnitude : -magnitude);
        }
        if (distribution == "uniform") symbols[i] = uniform();
        if (distribution == "constant") symbols[i] = constant;
        if (distribution == "extremes") symbols[i] = static_cast<Symbol>(i % 2 != 0 ? top : -top);
    }
    return symbols;   // "zero", or anything else: zeros
}

/// The table that `codec` makes of these symbols alone.
inline Table table_of(const Codec& codec, std::span<const Symbol> symbols, std::uint32_t width) {
    Counts counts;
    codec.learn(symbols, width, counts);
    return codec.make_table(counts, width);
}

/// The text of the CorruptStream that decoding throws, or "" if it succeeds.
inline std::string corruption(const Codec& codec, std::span<const std::byte> bytes, const Context& context,
                              const Table* table, std::size_t symbols) {
    std::vector<Symbol> out(symbols);
    try {
        codec.decode(bytes, context, table, out);
    } catch (const CorruptStream& error) {
        return error.what();
    }
    return "";
}

}   // namespace oscar
