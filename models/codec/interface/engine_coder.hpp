// The coder in the lanes of an engine that a codec needs: what area and energy of its engine are computed from.
#pragma once

#include <cstdint>

#include "models/codec/table/table.hpp"

namespace oscar {

/// A kind of codec says which lanes code its values by a member function `EngineCoder engine_coder() const` of its
/// parameters. A kind without one has lanes that no technology knows, so that its engine has no area and no energy.
struct EngineCoder {
    enum class Kind : std::uint8_t {
        none,         ///< values travel as they are
        arithmetic,   ///< asc_encoder_lane and asc_decoder_lane
        rans,         ///< rans_encoder_lane and rans_decoder_lane
        unknown,      ///< lanes that were never synthesised
        software,     ///< a processor instead of an engine
    };
    Kind kind = Kind::unknown;
    bool bypasses = false;   ///< the engine is bypassed: the reduce unit adds fp32 values
    Layout layout = Layout::magnitude;
    bool adaptive = false;   ///< tables change inside a block
    friend bool operator==(const EngineCoder&, const EngineCoder&) = default;
};

/// The coder of a kind of codec, given its parameters.
template <class Params>
EngineCoder engine_coder_of(const Params& params) {
    if constexpr (requires { params.engine_coder(); }) return params.engine_coder();
    else return {};
}

}   // namespace oscar
