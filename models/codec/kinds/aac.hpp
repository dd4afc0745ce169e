// Adaptive arithmetic coding: ASC without its history. No table is held, profiled or sent.
#pragma once

#include <array>
#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/engine_coder.hpp"
#include "models/codec/table/adaptation.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Rows are classes of magnitude, at first equally likely; the symbols of a block move them (docs/tables.md, in-block
/// adaptation). The same from the tables of a timestep is asc with `adapt`.
struct AacParams {
    Update update = Update::block;
    std::uint32_t interval = 16;
    std::uint32_t window = 256;
    std::uint32_t quick = 4;
    static constexpr auto fields() {
        return Entries{
            field("update", &AacParams::update, "moment at which the table is updated"),
            field("interval", &AacParams::interval, "values of each lane between two tables (update: block)", 1, 16384),
            field("window", &AacParams::window, "length of the window of past values, per lane", 16, 65536),
            field("quick", &AacParams::quick, quick_meaning, 0, 15),
        };
    }
    EngineCoder engine_coder() const {
        return {.kind = EngineCoder::Kind::arithmetic, .adaptive = update != Update::none};
    }
};

/// A codec that codes without the tables it is given; cost() uses them. Throws invalid_argument for a framing that
/// require_valid() refuses.
std::unique_ptr<Codec> make_codec(const AacParams& params, const Framing& framing);

}   // namespace oscar
