#include "models/codec/atalanta.hpp"

#include "models/codec/lane_coder.hpp"
#include "models/codec/table_codec.hpp"

namespace oscar {

namespace {

class AtalantaCodec final : public TableCodec {
public:
    AtalantaCodec(const AtalantaParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<LaneCoder>(Layout::ranges, Adaptation{})), table_(params.table) {}

    TableSource table_source() const override {
        return table_ == AtalantaTable::profiled ? TableSource::profiled : TableSource::sent_inline;
    }

private:
    AtalantaTable table_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AtalantaParams& params, const Framing& framing) {
    return std::make_unique<AtalantaCodec>(params, framing);
}

}   // namespace oscar
