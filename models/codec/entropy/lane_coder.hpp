// Coder of a block of lane streams, preceded by their lengths.
//
//   lengths     per lane: symbol stream, offset stream, each of length_bits(); filled to a byte
//   streams     see lane_streams.hpp
#pragma once

#include <cstdint>

#include "models/codec/interface/block_coder.hpp"
#include "models/codec/table/adaptation.hpp"

namespace oscar {

class LaneCoder final : public BlockCoder {
public:
    LaneCoder(Layout layout, const Adaptation& adaptation) : layout_(layout), adaptation_(adaptation) {}

    std::optional<Layout> layout() const override { return layout_; }
    bool uses_classes() const override { return true; }
    std::optional<Layout> fixed_table_layout() const override {
        return adaptation_.update == Update::none ? layout() : std::nullopt;
    }
    std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                     const Tables& tables, std::vector<std::byte>& out) const override;
    std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                     const Tables& tables) const override;
    CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                      const Tables& tables, std::span<Symbol> out) const override;

    /// Bits of each length: enough for any stream shorter than the packed symbols of the busiest lane. A block with a
    /// longer stream is sent raw, so that the lengths, two per lane, stay short.
    static std::uint32_t length_bits(std::size_t values, std::uint32_t width, std::uint32_t lanes);
    /// Bytes of the lengths of all lanes.
    static std::uint64_t lengths_bytes(std::size_t values, std::uint32_t width, std::uint32_t lanes);

private:
    Layout layout_;
    Adaptation adaptation_;
};

}   // namespace oscar
