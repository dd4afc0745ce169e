// Adaptive Stepwise Coding: rows are classes of magnitude, and each timestep has a table that is never sent.
#pragma once

#include <cstdint>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/codec/table/adaptation.hpp"
#include "models/codec/table/table_history.hpp"
#include "models/core/fields.hpp"

namespace oscar {

constexpr auto choices(Layout) {
    return std::array{
        Choice{"magnitude", Layout::magnitude, "rows are classes of magnitude, the same for every table"},
        Choice{"ranges", Layout::ranges, "both ends search 16 ranges in the histogram of t-1, as atalanta does"},
    };
}

/// Both ends count the rows of what passed in iteration t-1 and make the table of t from them: 16 counters and no
/// search, unless `layout` asks for one. With `adapt`, that table is where a block begins, and the block's own symbols
/// move it. Source: docs/codecs.md, docs/tables.md; the paper is known by its abstract (HPCA 2026).
struct AscParams {
    std::uint32_t history = TableHistory{}.history;
    StepSource table_source = TableHistory{}.table_source;
    TableSharing table_sharing = TableHistory{}.table_sharing;
    Scaling scaling = TableHistory{}.scaling;
    ScaleJump scale_jump = TableHistory{}.scale_jump;
    Layout layout = Layout::magnitude;
    Update adapt = Update::none;
    std::uint32_t adapt_interval = 16;
    std::uint32_t adapt_window = 256;
    std::uint32_t adapt_quick = 4;
    static constexpr auto fields() {
        const auto own = Entries{
            field("layout", &AscParams::layout, "mapping of values to rows"),
            field("adapt", &AscParams::adapt, "adaptation of a timestep's table inside a block"),
            field("adapt_interval", &AscParams::adapt_interval, "values of each lane between two tables (adapt: block)",
                  1, 16384),
            field("adapt_window", &AscParams::adapt_window,
                  "length of the window of past values, per lane (adapt: block, symbol)", 16, 65536),
            field("adapt_quick", &AscParams::adapt_quick, quick_meaning, 0, 15),
        };
        return concatenate(stepwise_fields<AscParams>(), own);
    }
    EngineCoder engine_coder() const {
        return {.kind = EngineCoder::Kind::arithmetic, .layout = layout, .adaptive = adapt != Update::none};
    }
};

/// Throws invalid_argument if scale_jump is rotate and layout is not magnitude.
std::unique_ptr<Codec> make_codec(const AscParams& params, const Framing& framing);

}   // namespace oscar
