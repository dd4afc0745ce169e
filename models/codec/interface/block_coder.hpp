// Interface of the coder of one block's body, after its header and its table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar::inline codec {

/// What encode() would append, in number, and its work.
struct SizedPayload {
    std::uint64_t bytes = 0;
    CodingCost work;
};

/// A way to code the symbols of one block. Law: decode(encode(s)) == s, with equal work.
class BlockCoder {
public:
    virtual ~BlockCoder() = default;

    /// The layout of its tables; nothing if it takes none.
    virtual std::optional<Layout> layout() const = 0;
    virtual bool uses_classes() const { return false; }

    /// Appends `symbols`, at least one and legal for `width`, dealt to `lanes` lanes. Nothing, with `out` in any state
    /// behind its old end, if this coder cannot represent them: then the block goes raw. `tables` are none for a
    /// coder without tables, one for a coder that does not use classes.
    virtual std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                             const Tables& tables, std::vector<std::byte>& out) const = 0;

    /// As encode(), without the bytes where that is quicker; then their number is that expected.
    virtual std::optional<SizedPayload> size(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t lanes,
                                             const Tables& tables) const {
        std::vector<std::byte> bytes;
        const auto work = encode(symbols, width, lanes, tables, bytes);
        return work ? std::optional(SizedPayload{bytes.size(), *work}) : std::nullopt;
    }

    /// Fills `out` from the whole payload. Never reads outside it. Throws CorruptStream.
    virtual CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t lanes,
                              const Tables& tables, std::span<Symbol> out) const = 0;
};

}   // namespace oscar::inline codec
