// A block of rows coded by interleaved rANS, and of raw offsets.
//
//   words       u32, how many there are
//   states      u32 per lane, with which its decoder begins
//   rows        words of 16 bits, little endian, in the order in which the lanes want them, symbol by symbol
//   offsets     see offset_stream.hpp
#pragma once

#include "models/codec/block_coder.hpp"

namespace oscar {

class RansCoder final : public BlockCoder {
public:
    explicit RansCoder(Layout layout) : layout_(layout) {}

    std::optional<Layout> layout() const override { return layout_; }
    bool uses_classes() const override { return true; }
    std::optional<Work> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                               const Tables& tables, std::vector<std::byte>& out) const override;
    Work decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes, const Tables& tables,
                std::span<Symbol> out) const override;

private:
    Layout layout_;
};

}   // namespace oscar
