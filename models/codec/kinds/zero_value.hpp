// Zero-value compression: a mask of the non-zero symbols, then those symbols uncoded.
#pragma once

#include <memory>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// A block is a bit per symbol, set where it is not zero, and then the non-zero ones in context.width bits of two's
/// complement each. Source: Rhu et al., HPCA 2018 (cDMA; doi 10.1109/HPCA.2018.00017), whose masks stand per 32 words;
/// here the mask of a block is in one piece, which makes no difference in size.
struct ZeroValueParams {
    static constexpr auto fields() { return Entries{}; }
};

/// The cost() of a symbol is its bit of the mask and, unless it is zero, its width. Throws invalid_argument for a
/// framing that require_valid() refuses.
std::unique_ptr<Codec> make_codec(const ZeroValueParams& params, const Framing& framing);

}   // namespace oscar
