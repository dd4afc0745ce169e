#include "models/codec/entropy/offset_stream.hpp"

#include <algorithm>
#include <optional>

#include "models/codec/bits/avx512.hpp"
#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/bits/word_stream.hpp"
#include "models/codec/entropy/offset_vector.hpp"
#include "models/codec/interface/packed.hpp"

namespace oscar {

namespace {

// The table of each symbol: one for all, or that of its class.
class TableOf {
public:
    explicit TableOf(const Tables& tables) : classes_(tables.count() > 1 ? tables.classes().data() : nullptr) {
        for (std::size_t c = 0; c < tables.count(); ++c) tables_.push_back(*tables.of_class(c));
        all_ = tables_.data();
    }
    const Table& operator()(std::size_t i) const { return classes_ != nullptr ? all_[classes_[i]] : all_[0]; }

private:
    std::vector<Table> tables_;   // copies, which no store of bytes can have changed
    const Table* all_;
    const std::uint8_t* classes_;
};

// Of `size` symbols, those that 16 at a time can do.
std::size_t vector_symbols(std::size_t size, const Tables& tables) {
    const bool possible = avx512::available() && tables.count() == 1 && avx512::handles_offsets(*tables.of_class(0));
    return possible ? size / avx512::lanes_per_register * avx512::lanes_per_register : 0;
}

std::uint64_t longest_offset(const Tables& tables) {
    std::uint64_t longest = 0;
    for (std::size_t c = 0; c < tables.count(); ++c)
        longest = std::max<std::uint64_t>(longest, std::ranges::max(tables.of_class(c)->offset_bits));
    return longest;
}

// Symbols from `begin` on, up to the first that lies beyond `limit` bits.
void read_rest(const std::byte* bytes, std::uint64_t limit, std::span<const std::uint8_t> rows, std::size_t begin,
               const Tables& tables, std::span<Symbol> out, avx512::OffsetsRead& given) {
    const TableOf table_of(tables);
    avx512::OffsetsRead found = given;
    for (std::size_t i = begin; i < rows.size() && found.bits <= limit; ++i) {
        const Table& table = table_of(i);
        const std::uint32_t bits = table.offset_bits[rows[i]];
        const Located place{rows[i], bits_at(bytes, found.bits, bits)};
        found.bits += bits;
        const Symbol symbol = table.value(place);
        found.legal &= table.holds(place);
        found.magnitudes |= magnitude(symbol);
        out[i] = symbol;
    }
    given = found;
}

}   // namespace

LocatedSymbols locate(std::span<const Symbol> symbols, const Tables& tables) {
    LocatedSymbols result{std::vector<std::uint8_t>(symbols.size()), {}, 0};
    result.offsets.resize(bytes_for(symbols.size() * longest_offset(tables)) + stream_word);
    WordWriter writer(result.offsets.data());
    const std::size_t begin = vector_symbols(symbols.size(), tables);
    if (begin > 0) avx512::locate(symbols.data(), begin, *tables.of_class(0), result.rows.data(), writer);
    const TableOf table_of(tables);
    for (std::size_t i = begin; i < symbols.size(); ++i) {
        const Table& table = table_of(i);
        const auto [row, offset] = table.locate(symbols[i]);
        result.rows[i] = static_cast<std::uint8_t>(row);
        writer.put(offset, table.offset_bits[row]);
    }
    result.offset_bits = writer.bits(result.offsets.data());
    result.offsets.resize(bytes_for(result.offset_bits));
    return result;
}

std::uint64_t read_offsets(std::span<const std::byte> bytes, std::span<const std::uint8_t> rows, const Tables& tables,
                           std::uint32_t width, std::span<Symbol> out) {
    std::vector<std::byte> padded(bytes.size() + avx512::offsets_ahead);
    std::ranges::copy(bytes, padded.begin());
    const std::uint64_t limit = 8 * bytes.size();
    avx512::OffsetsRead found;
    const std::size_t begin = vector_symbols(rows.size(), tables);
    if (begin > 0)
        avx512::read_offsets(padded.data(), limit, rows.data(), begin, *tables.of_class(0), out.data(), found);
    read_rest(padded.data(), limit, rows, begin, tables, out, found);
    require_intact(bytes_for(found.bits) == bytes.size(), "offsets: not as many bytes as the rows ask for");
    require_intact(bits_at(padded.data(), found.bits, static_cast<std::uint32_t>(-found.bits % 8)) == 0,
                   "offsets: the padding of the last byte is not zero");
    require_intact(found.legal, "offsets: an offset is beyond its row");
    require_intact(fits(found.magnitudes, width), "offsets: a symbol is out of range");
    return found.bits;
}

}   // namespace oscar
