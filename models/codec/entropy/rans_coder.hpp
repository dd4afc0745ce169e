// A block of rows coded by interleaved rANS, and of raw offsets.
//
//   count       u32, of words
//   lengths     per lane 4 bits: how many bits the state has below its leading one, less 15
//   states      with which each lane's decoder begins, without the leading one; filled to a byte
//   words       of 16 bits, little endian, in the order in which the lanes want them, symbol by symbol
//   offsets     see offset_stream.hpp; their last bytes, 15 bits a lane or all if they are fewer, are not here: the
//               encoder begins with them in its states, and the decoder ends with them when it needs them
//
// A lane so spends 3 to 4 bits beside its rows and offsets, and, where there are no offsets, 15 more.
#pragma once

#include "models/codec/interface/block_coder.hpp"

namespace oscar {

class RansCoder final : public BlockCoder {
public:
    explicit RansCoder(Layout layout) : layout_(layout) {}

    std::optional<Layout> layout() const override { return layout_; }
    bool uses_classes() const override { return true; }
    std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                     const Tables& tables, std::vector<std::byte>& out) const override;
    std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                     const Tables& tables) const override;
    CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                      const Tables& tables, std::span<Symbol> out) const override;

private:
    Layout layout_;
};

}   // namespace oscar
