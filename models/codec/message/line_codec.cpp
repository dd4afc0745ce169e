#include "models/codec/message/line_codec.hpp"

#include <algorithm>

#include "models/codec/interface/forwarding_codec.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t line_block_bytes = 4096;   // the largest packet of RoCE and InfiniBand

/// Epochs go to 255, and a flag is not 0, which empty buffers have.
std::byte flag_of(const Context& context) { return static_cast<std::byte>(context.epoch % 255 + 1); }

class LineCodec final : public ForwardingCodec {
public:
    LineCodec(std::unique_ptr<const Codec> codec, LineFormat format)
        : ForwardingCodec(std::move(codec)), format_(format) {}

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override {
        const Encoded bare = inner().encode(symbols, context, tables);
        Encoded result;
        result.blocks = blocks(symbols.size(), context.width);
        result.bytes.reserve(result.size());
        for (std::size_t begin = 0; begin < bare.bytes.size(); begin += format_.data) {
            const auto data =
                std::span(bare.bytes).subspan(begin, std::min<std::size_t>(format_.data, bare.bytes.size() - begin));
            result.bytes.insert(result.bytes.end(), data.begin(), data.end());
            result.bytes.resize(result.bytes.size() + format_.data - data.size());
            result.bytes.resize(result.bytes.size() + format_.flag, flag_of(context));
        }
        return result;
    }

    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables&) const override {
        return blocks(symbols.size(), context.width);
    }

    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override {
        const std::uint64_t size = inner().bound(out.size(), context.width).count;
        require_intact(bytes.size() == in_lines(size), "message in lines: not as many lines as its symbols take");
        std::vector<std::byte> bare;
        bare.reserve(bytes.size());
        for (; !bytes.empty(); bytes = bytes.subspan(format_.size())) {
            const auto flag = bytes.subspan(format_.data, format_.flag);
            require_intact(std::ranges::count(flag, flag_of(context)) == std::ptrdiff_t(format_.flag),
                           "message in lines: a flag is not that of the iteration");
            bare.insert(bare.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(format_.data));
        }
        const auto padding = std::span(bare).subspan(size);
        require_intact(std::ranges::count(padding, std::byte{0}) == std::ptrdiff_t(padding.size()),
                       "message in lines: its padding is not zero");
        inner().decode(std::span(bare).first(size), context, tables, out);
        return blocks(out.size(), context.width);
    }

    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables&) const override {
        std::vector<Block> whole = blocks(symbols, context.width);
        std::erase_if(whole, [&](const Block& block) { return block.offset + block.bytes > begin.size(); });
        return whole;
    }

    Bytes bound(std::size_t symbols, std::uint32_t width) const override {
        return {in_lines(inner().bound(symbols, width).count)};
    }
    /// Flags are not added.
    bool adds_coded() const override { return false; }

private:
    std::uint64_t in_lines(std::uint64_t bytes) const {
        return (bytes + format_.data - 1) / format_.data * format_.size();
    }

    std::vector<Block> blocks(std::size_t symbols, std::uint32_t width) const {
        std::vector<Block> result;
        std::uint64_t offset = 0;
        const std::size_t most = line_block_bytes / format_.size() * format_.data / inner().bound(1, width).count;
        for (std::size_t first = 0; first < symbols; first += most) {
            const auto values = static_cast<std::uint32_t>(std::min(most, symbols - first));
            const std::uint64_t bytes = bound(values, width).count;
            result.push_back({static_cast<std::uint32_t>(first), values, offset, bytes, {.values = values}});
            offset += bytes;
        }
        return result;
    }

    LineFormat format_;
};

}   // namespace

std::unique_ptr<Codec> make_line_codec(std::unique_ptr<Codec> codec, LineFormat format) {
    return std::make_unique<LineCodec>(std::move(codec), format);
}

}   // namespace oscar
