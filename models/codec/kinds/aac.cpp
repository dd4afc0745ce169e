#include "models/codec/kinds/aac.hpp"

#include <algorithm>

#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/table_codec.hpp"

namespace oscar {

namespace {

constexpr std::uint32_t lane_experience = 4;   // values of a lane for which the first table counts: it knows nothing

Adaptation adaptation_of(const AacParams& params) {
    return {params.update, params.interval, params.window, lane_experience, params.quick};
}

// All rows that a symbol of this width can fall into are equally likely.
Table uniform(std::uint32_t width) {
    std::array<std::uint64_t, table_rows> counts{};
    std::fill_n(counts.begin(), std::min<std::size_t>(width, table_rows), 1);
    return Table::magnitudes(width, normalise(counts));
}

// The tables that it can be asked for only tell what a symbol will cost.
class AacCodec final : public TableCodec {
public:
    AacCodec(const AacParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<LaneCoder>(Layout::magnitude, adaptation_of(params))) {}

    bool uses_classes() const override { return false; }
    TableSource table_source() const override { return TableSource::adaptive; }
    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables&) const override {
        require_legal({}, context.width);
        const Table first = uniform(context.width);
        return TableCodec::encode(symbols, context, &first);
    }
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables&) const override {
        require_legal({}, context.width);
        const Table first = uniform(context.width);
        return TableCodec::sized_blocks(symbols, context, &first);
    }
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables&,
                              std::span<Symbol> out) const override {
        require_legal({}, context.width);
        const Table first = uniform(context.width);
        return TableCodec::decode(bytes, context, &first, out);
    }
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AacParams& params, const Framing& framing) {
    return std::make_unique<AacCodec>(params, framing);
}

}   // namespace oscar
