#include "models/codec/kinds/rans.hpp"

#include "models/codec/entropy/rans_coder.hpp"
#include "models/codec/message/table_codec.hpp"
#include "models/codec/table/scale_move.hpp"

namespace oscar {

namespace {

class RansCodec final : public TableCodec {
public:
    RansCodec(const RansParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<RansCoder>(params.layout)), stepwise_(stepwise_of(params)) {
        require_rotatable(params.layout, stepwise_);
    }

    TableSource table_source() const override { return TableSource::stepwise; }
    TableHistory stepwise() const override { return stepwise_; }

private:
    TableHistory stepwise_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const RansParams& params, const Framing& framing) {
    return std::make_unique<RansCodec>(params, framing);
}

}   // namespace oscar
