#include "models/codec/kinds/raw.hpp"

#include <algorithm>
#include <bit>

#include "models/codec/bits/little_endian.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_message.hpp"

namespace oscar {

namespace {

// Both kinds: what differs is the width, the order of the bytes, and who does the work.
class RawCodec : public Codec {
public:
    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables&) const override {
        require_legal(symbols, width(context.width));
        Encoded result;
        append(result.bytes, symbols, width(context.width));
        result.blocks = blocks(symbols.size(), width(context.width));
        return result;
    }
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables&) const override {
        require_legal(symbols, width(context.width));
        return blocks(symbols.size(), width(context.width));
    }
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables&,
                              std::span<Symbol> out) const override {
        require_legal({}, width(context.width));
        if (bytes.size() != packed_bytes(out.size(), width(context.width)))
            throw CorruptStream("raw message: not as many bytes as its symbols take");
        read(bytes, width(context.width), out);
        return blocks(out.size(), width(context.width));
    }
    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables&) const override {
        std::vector<Block> whole = blocks(symbols, width(context.width));
        std::erase_if(whole, [&](const Block& block) { return block.offset + block.bytes > begin.size(); });
        return whole;
    }
    Bytes bound(std::size_t symbols, std::uint32_t bits) const override { return {packed_bytes(symbols, width(bits))}; }
    std::uint32_t cost(Symbol, std::uint32_t bits, const Table*) const override { return width(bits) * 256; }
    bool constant_rate() const override { return true; }
    bool adds_coded() const override { return true; }

private:
    virtual std::uint32_t width(std::uint32_t context_width) const = 0;
    /// Symbols of each but the last block of a message of `symbols`.
    virtual std::uint32_t block_values(std::size_t symbols) const = 0;
    virtual CodingCost work(std::uint32_t values, std::uint32_t bits) const = 0;
    virtual void append(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t bits) const = 0;
    virtual void read(std::span<const std::byte> bytes, std::uint32_t bits, std::span<Symbol> out) const = 0;

    std::vector<Block> blocks(std::size_t symbols, std::uint32_t bits) const {
        std::vector<Block> result;
        std::uint64_t offset = 0;
        const std::uint32_t most = block_values(symbols);
        for (std::size_t first = 0; first < symbols; first += most) {
            const auto values = static_cast<std::uint32_t>(std::min<std::size_t>(most, symbols - first));
            const std::uint64_t bytes = packed_bytes(values, bits);
            result.push_back({static_cast<std::uint32_t>(first), values, offset, bytes, work(values, bits)});
            offset += bytes;
        }
        return result;
    }
};

class Fp32Codec final : public RawCodec {
public:
    bool uses_engine() const override { return false; }

private:
    std::uint32_t width(std::uint32_t) const override { return 32; }
    std::uint32_t block_values(std::size_t) const override { return 64; }
    CodingCost work(std::uint32_t values, std::uint32_t) const override { return {.values = values}; }
    void append(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t) const override {
        if constexpr (std::endian::native == std::endian::little) {
            const auto bytes = std::as_bytes(symbols);
            out.insert(out.end(), bytes.begin(), bytes.end());
            return;
        }
        for (const Symbol symbol : symbols) append_little_endian(out, static_cast<std::uint32_t>(symbol), 4);
    }
    void read(std::span<const std::byte> bytes, std::uint32_t, std::span<Symbol> out) const override {
        if constexpr (std::endian::native == std::endian::little) {
            std::ranges::copy(bytes, std::as_writable_bytes(out).begin());
            return;
        }
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Symbol>(little_endian(bytes, 4 * i, 4));
    }
};

/// Words of whole bytes, as few as the context's width needs, but at least `least` bits of them.
class ShortWordsCodec final : public RawCodec {
public:
    explicit ShortWordsCodec(std::uint32_t least) : least_(least) {}
    bool uses_engine() const override { return false; }

private:
    std::uint32_t width(std::uint32_t context_width) const override {
        if (context_width <= least_) return least_;
        return context_width <= 16 ? 16 : 32;
    }
    /// 256 bytes of the shortest words.
    std::uint32_t block_values(std::size_t) const override { return 2048 / least_; }
    CodingCost work(std::uint32_t values, std::uint32_t) const override { return {.values = values}; }
    void append(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t bits) const override {
        for (const Symbol symbol : symbols) append_little_endian(out, static_cast<std::uint32_t>(symbol), bits / 8);
    }
    void read(std::span<const std::byte> bytes, std::uint32_t bits, std::span<Symbol> out) const override {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = signed_word(little_endian(bytes, bits / 8 * i, bits / 8), bits);
    }
    static Symbol signed_word(std::uint32_t word, std::uint32_t bits) {
        if (bits == 8) return static_cast<std::int8_t>(word);
        return bits == 16 ? static_cast<std::int16_t>(word) : static_cast<Symbol>(word);
    }

    std::uint32_t least_;   ///< bits: 8 or 16
};

class FixedPointCodec final : public RawCodec {
public:
    FixedPointCodec(const FixedPointParams& params, const Framing& framing)
        : lanes_(framing.sub_streams()), blocks_(params.blocks) {
        require_valid(framing);
    }

private:
    std::uint32_t width(std::uint32_t context_width) const override { return context_width; }
    std::uint32_t block_values(std::size_t symbols) const override {
        const std::size_t grain = std::size_t{16} * lanes_, shares = grain * blocks_;
        return static_cast<std::uint32_t>(grain * std::max<std::size_t>(1, (symbols + shares - 1) / shares));
    }
    CodingCost work(std::uint32_t values, std::uint32_t bits) const override {
        return packed_work(values, bits, lanes_);
    }
    void append(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t bits) const override {
        append_packed(out, symbols, bits);
    }
    void read(std::span<const std::byte> bytes, std::uint32_t bits, std::span<Symbol> out) const override {
        read_packed(bytes, bits, out);
    }

    std::uint32_t lanes_, blocks_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const Fp32Params&, const Framing&) { return std::make_unique<Fp32Codec>(); }

std::unique_ptr<Codec> make_codec(const Bf16Params&, const Framing&) { return std::make_unique<ShortWordsCodec>(16); }

std::unique_ptr<Codec> make_codec(const Fp8Params&, const Framing&) { return std::make_unique<ShortWordsCodec>(8); }

std::unique_ptr<Codec> make_codec(const FixedPointParams& params, const Framing& framing) {
    return std::make_unique<FixedPointCodec>(params, framing);
}

}   // namespace oscar
