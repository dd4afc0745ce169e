// Interleaved rANS with the tables of ASC.
#pragma once

#include <cstdint>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/codec/kinds/asc.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// The rows, offsets and tables of asc (per-link and final-sum); the rows are coded by range asymmetric numeral
/// systems, one state a lane, all lanes sharing one stream of words. The encoder works from the last symbol to the
/// first, so it needs the whole block, as the engine gives it anyway. Source: Duda, arXiv 1311.2540; Giesen, arXiv
/// 1402.3392; docs/codecs.md.
struct RansParams {
    std::uint32_t history = TableHistory{}.history;
    StepSource table_source = TableHistory{}.table_source;
    TableSharing table_sharing = TableHistory{}.table_sharing;
    Scaling scaling = TableHistory{}.scaling;
    ScaleJump scale_jump = TableHistory{}.scale_jump;
    Layout layout = Layout::magnitude;
    static constexpr auto fields() {
        return concatenate(stepwise_fields<RansParams>(),
                           Entries{field("layout", &RansParams::layout, "mapping of values to rows")});
    }
    EngineCoder engine_coder() const { return {.kind = EngineCoder::Kind::rans, .layout = layout}; }
};

/// Throws invalid_argument if scale_jump is rotate and layout is not magnitude.
std::unique_ptr<Codec> make_codec(const RansParams& params, const Framing& framing);

}   // namespace oscar
