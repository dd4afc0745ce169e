#include "models/codec/atalanta.hpp"

#include "models/codec/binning.hpp"
#include "models/codec/table_codec.hpp"
#include "models/codec/table_search.hpp"

namespace oscar {

namespace {

class AtalantaCodec final : public TableCodec {
public:
    AtalantaCodec(const AtalantaParams& params, const Framing& framing)
        : TableCodec(framing, Layout::ranges), table_(params.table) {}

    TableSource table_source() const override {
        return table_ == AtalantaTable::profiled ? TableSource::profiled : TableSource::sent_inline;
    }
    void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const override {
        const Binning binning(width);
        counts.resize(binning.bins());
        for (const Symbol symbol : symbols) ++counts[binning.bin(symbol)];
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override { return search_ranges(counts, width); }

private:
    AtalantaTable table_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AtalantaParams& params, const Framing& framing) {
    return std::make_unique<AtalantaCodec>(params, framing);
}

}   // namespace oscar
