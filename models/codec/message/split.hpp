// Splitting: how the classes of a message's symbols, which both ends know, are coded.
#pragma once

#include <memory>

#include "models/codec/interface/codec.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

struct NoSplitParams {
    static constexpr auto fields() { return Entries{}; }
};
struct ContextSplitParams {
    static constexpr auto fields() { return Entries{}; }
};
struct PhysicalSplitParams {
    static constexpr auto fields() { return Entries{}; }
};
struct TwoCodersSplitParams {
    static constexpr auto fields() { return Entries{}; }
};

/// Source: OSCAR (HPCA 2026), abstract: gradients are split into groups with and without zeros, and each group may use
/// another compression approach; docs/chunks.md.
inline constexpr auto splits = Entries{
    kind<NoSplitParams>("none", "one stream; classes are not used"),
    kind<ContextSplitParams>(
        "context", "context modelling: the class of a symbol selects its table; order and streams are unchanged"),
    kind<PhysicalSplitParams>("physical", "the symbols of each class are gathered and coded separately"),
    kind<TwoCodersSplitParams>("two_coders",
                               "class 0, the predicted zeros, as runs of zeros with exceptions; exceptions and the "
                               "other classes each by the codec"),
};
using SplitChoice = OneOf<splits>;

/// The codec that codes as `split` says, by means of `codec`, for symbols of up to `classes` classes.
///
/// physical: for each class with symbols, in ascending order, the length of its message in 4 bytes and the message.
/// two_coders: the same, where the message of class 0 is the runs (zero_runs.hpp), whose exceptions follow the symbols
/// of class 1.
/// Where the classes of a message are not known, it is that of `codec`.
/// Throws invalid_argument for a context split of a codec that does not use classes.
std::unique_ptr<Codec> make_split_codec(const SplitChoice& split, std::unique_ptr<Codec> codec, const Framing& framing,
                                        std::uint32_t classes);

}   // namespace oscar
