#include "models/codec/kinds/library.hpp"

#include <lz4.h>
#include <lz4hc.h>
#include <zstd.h>

#include <bit>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_codec.hpp"

namespace oscar {

namespace {

// Bytes in, bytes out: one library at one level.
class Compressor {
public:
    virtual ~Compressor() = default;
    virtual std::size_t bound(std::size_t size) const = 0;
    /// Returns the compressed size; 0 if the library refuses. Precondition: `out` has the bound of the size.
    virtual std::size_t compress(std::span<const std::byte> bytes, std::span<std::byte> out) const = 0;
    /// Whether `bytes` are the compression of exactly out.size() bytes. Never reads or writes outside.
    virtual bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out) const = 0;
};

class Zstd final : public Compressor {
public:
    explicit Zstd(std::uint32_t level) : level_(static_cast<int>(level)) {}
    std::size_t bound(std::size_t size) const override { return ZSTD_compressBound(size); }
    std::size_t compress(std::span<const std::byte> bytes, std::span<std::byte> out) const override {
        const std::size_t size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), level_);
        return ZSTD_isError(size) != 0 ? 0 : size;
    }
    bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out) const override {
        return ZSTD_decompress(out.data(), out.size(), bytes.data(), bytes.size()) == out.size();
    }

private:
    int level_;
};

class Lz4 final : public Compressor {
public:
    explicit Lz4(std::uint32_t level) : level_(static_cast<int>(level)) {}
    std::size_t bound(std::size_t size) const override {
        return static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(size)));
    }
    std::size_t compress(std::span<const std::byte> bytes, std::span<std::byte> out) const override {
        const auto* from = reinterpret_cast<const char*>(bytes.data());
        auto* to = reinterpret_cast<char*>(out.data());
        const int size = static_cast<int>(bytes.size()), room = static_cast<int>(out.size());
        return static_cast<std::size_t>(level_ < 3 ? LZ4_compress_default(from, to, size, room)
                                                   : LZ4_compress_HC(from, to, size, room, level_));
    }
    bool decompress(std::span<const std::byte> bytes, std::span<std::byte> out) const override {
        const int size =
            LZ4_decompress_safe(reinterpret_cast<const char*>(bytes.data()), reinterpret_cast<char*>(out.data()),
                                static_cast<int>(bytes.size()), static_cast<int>(out.size()));
        return size >= 0 && static_cast<std::size_t>(size) == out.size();
    }

private:
    int level_;
};

// Which byte of a symbol lies where.
enum class ByteOrder : std::uint8_t { symbols, planes };

class LibraryCoder final : public BlockCoder {
public:
    LibraryCoder(std::unique_ptr<const Compressor> compressor, ByteOrder order)
        : compressor_(std::move(compressor)), order_(order) {}

    std::optional<Layout> layout() const override { return std::nullopt; }

    std::optional<CodingCost> encode(std::span<const Symbol> symbols, std::uint32_t width, std::uint32_t, const Tables&,
                                     std::vector<std::byte>& out) const override {
        const std::size_t depth = bytes_for(width), head = out.size();
        std::vector<std::byte> bytes(symbols.size() * depth);
        for (std::size_t i = 0; i < symbols.size(); ++i)
            for (std::size_t plane = 0; plane < depth; ++plane)
                bytes[place(i, plane, symbols.size(), depth)] =
                    static_cast<std::byte>(static_cast<std::uint32_t>(symbols[i]) >> 8 * plane & 0xFF);
        out.resize(head + compressor_->bound(bytes.size()));
        const std::size_t size = compressor_->compress(bytes, std::span(out).subspan(head));
        if (size == 0) return std::nullopt;
        out.resize(head + size);
        return CodingCost{.values = symbols.size()};
    }

    CodingCost decode(std::span<const std::byte> payload, std::uint32_t width, std::uint32_t, const Tables&,
                      std::span<Symbol> out) const override {
        const std::size_t depth = bytes_for(width);
        std::vector<std::byte> bytes(out.size() * depth);
        if (!compressor_->decompress(payload, bytes)) throw CorruptStream("library: these bytes are not the symbols'");
        std::uint32_t magnitudes = 0;
        for (std::size_t i = 0; i < out.size(); ++i) {
            std::uint32_t pattern = 0;
            for (std::size_t plane = 0; plane < depth; ++plane)
                pattern |= static_cast<std::uint32_t>(bytes[place(i, plane, out.size(), depth)]) << 8 * plane;
            out[i] = sign_extend(pattern, static_cast<std::uint32_t>(8 * depth));
            magnitudes |= magnitude(out[i]);
        }
        if (!fits(magnitudes, width)) throw CorruptStream("library: a symbol is out of range");
        return {.values = out.size()};
    }

private:
    std::size_t place(std::size_t symbol, std::size_t plane, std::size_t symbols, std::size_t depth) const {
        return order_ == ByteOrder::planes ? plane * symbols + symbol : symbol * depth + plane;
    }

    std::unique_ptr<const Compressor> compressor_;
    ByteOrder order_;
};

class LibraryCodec final : public BlockCodec {
public:
    using BlockCodec::BlockCodec;

    bool uses_engine() const override { return false; }
    /// Nobody knows what a symbol costs such a coder. For the boundaries of chunks: an Elias gamma code with a sign.
    std::uint32_t cost(Symbol symbol, std::uint32_t, const Table*) const override {
        return (1 + 2 * static_cast<std::uint32_t>(std::bit_width(magnitude(symbol)))) * 256;
    }
};

std::unique_ptr<Codec> library_codec(std::unique_ptr<const Compressor> compressor, ByteOrder order,
                                     const Framing& framing) {
    return std::make_unique<LibraryCodec>(framing, std::make_unique<LibraryCoder>(std::move(compressor), order));
}

}   // namespace

std::unique_ptr<Codec> make_codec(const ZstdParams& params, const Framing& framing) {
    return library_codec(std::make_unique<Zstd>(params.level), ByteOrder::symbols, framing);
}
std::unique_ptr<Codec> make_codec(const Lz4Params& params, const Framing& framing) {
    return library_codec(std::make_unique<Lz4>(params.level), ByteOrder::symbols, framing);
}
std::unique_ptr<Codec> make_codec(const BytePlaneParams& params, const Framing& framing) {
    return library_codec(std::make_unique<Zstd>(params.level), ByteOrder::planes, framing);
}

}   // namespace oscar
