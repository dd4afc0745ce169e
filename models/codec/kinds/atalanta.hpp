// Atalanta: 16 free ranges of bit patterns, searched for each table.
#pragma once

#include <array>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/core/fields.hpp"

namespace oscar {

enum class AtalantaTable : std::uint8_t { profiled, sent_inline, pooled };
constexpr auto choices(AtalantaTable) {
    return std::array{
        Choice{"profiled", AtalantaTable::profiled,
               "one table per iteration, from the codes of rank 0 in the last one"},
        Choice{"inline", AtalantaTable::sent_inline, "each message brings a table of its own symbols"},
        Choice{"pooled", AtalantaTable::pooled,
               "one table per iteration, from the traffic of all links in the last one"},
    };
}

enum class AtalantaSearch : std::uint8_t { exact, heuristic };
constexpr auto choices(AtalantaSearch) {
    return std::array{
        Choice{"exact", AtalantaSearch::exact, "the best 16 ranges, by dynamic programming"},
        Choice{"heuristic", AtalantaSearch::heuristic, "boundaries moved one at a time, as published: never better"},
    };
}

/// Rows are ranges of two's complement bit patterns, found by search in a histogram. Sources: Delmas Lascorz et
/// al., ASPLOS 2024 (doi 10.1145/3620665.3640356), and APack, arXiv 2201.08830; written from their description.
struct AtalantaParams {
    AtalantaTable table = AtalantaTable::profiled;
    AtalantaSearch search = AtalantaSearch::exact;
    static constexpr auto fields() {
        return Entries{
            field("table", &AtalantaParams::table, "source of the table at both ends"),
            field("search", &AtalantaParams::search, "search for the ranges"),
        };
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::arithmetic, .layout = Layout::ranges}; }
};

/// A codec whose make_table() searches as params.search says. Throws invalid_argument for a framing that
/// require_valid() refuses.
std::unique_ptr<Codec> make_codec(const AtalantaParams& params, const Framing& framing);

}   // namespace oscar
