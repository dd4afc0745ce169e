// Interface of the coder of one block's body, after its header and its table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// Size and work of what encode() would append.
struct SizedPayload {
    std::uint64_t bytes = 0;
    CodingCost work;
};

/// Codes the symbols of one block. Law: decode(encode(s)) == s, with equal work.
class BlockCoder {
public:
    virtual ~BlockCoder() = default;

    /// The layout of its tables; nothing if it takes none.
    virtual std::optional<Layout> layout() const = 0;
    /// See Codec::fixed_table_layout().
    virtual std::optional<Layout> fixed_table_layout() const { return std::nullopt; }
    /// True if encode() and decode() accept a table for each class; else they take one at most.
    virtual bool uses_classes() const { return false; }

    /// Appends `symbols`, at least one and legal for `width`, dealt to `sub_streams` sub-streams.
    /// Returns their work; nothing, with any bytes in `out` after its old end, if this coder cannot represent them:
    /// then the block goes raw. `tables` are none for a coder without tables, one for a coder that does not use
    /// classes.
    virtual std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width,
                                             std::uint32_t sub_streams, const Tables& tables,
                                             std::vector<std::byte>& out) const = 0;

    /// Size and work of encode(), without its bytes where that is quicker: then the size is the expected one.
    virtual std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width,
                                             std::uint32_t sub_streams, const Tables& tables) const {
        std::vector<std::byte> bytes;
        const auto work = encode(symbols, width, sub_streams, tables, bytes);
        return work ? std::optional(SizedPayload{bytes.size(), *work}) : std::nullopt;
    }

    /// Fills `out` from the whole payload. Never reads outside it. Throws CorruptStream.
    virtual CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t sub_streams,
                              const Tables& tables, std::span<Symbol> out) const = 0;
};

}   // namespace oscar
