// Atalanta: 16 free ranges of bit patterns, searched for each table.
#pragma once

#include <array>
#include <memory>
#include <tuple>

#include "models/codec/codec.hpp"
#include "models/core/fields.hpp"

namespace oscar {

enum class AtalantaTable : std::uint8_t { profiled, sent_inline };
constexpr auto choices(AtalantaTable) {
    return std::array{
        Choice{"profiled", AtalantaTable::profiled,
               "one table per iteration, from the codes of rank 0 in the last one"},
        Choice{"inline", AtalantaTable::sent_inline, "each message brings a table of its own symbols"},
    };
}

/// Rows are ranges of two's complement bit patterns, found by exact search in a histogram. Sources: Delmas Lascorz et
/// al., ASPLOS 2024 (doi 10.1145/3620665.3640356), and APack, arXiv 2201.08830; written from their description.
struct AtalantaParams {
    AtalantaTable table = AtalantaTable::profiled;
    static constexpr auto fields() {
        return std::tuple{field("table", &AtalantaParams::table, "where both ends have the table from")};
    }
};

std::unique_ptr<Codec> make_codec(const AtalantaParams& params, const Framing& framing);

}   // namespace oscar
