#include "models/codec/kinds/asc.hpp"

#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/message/table_codec.hpp"
#include "models/codec/table/scale_move.hpp"

namespace oscar {

namespace {

constexpr std::uint32_t timestep_experience =
    128;   // values of a lane for which a timestep's table counts where it adapts

Adaptation adaptation_of(const AscParams& params) {
    return {params.adapt, params.adapt_interval, params.adapt_window, timestep_experience, params.adapt_quick};
}

class AscCodec final : public TableCodec {
public:
    AscCodec(const AscParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<LaneCoder>(params.layout, adaptation_of(params))),
          stepwise_(stepwise_of(params)) {
        require_rotatable(params.layout, stepwise_);
    }

    TableSource table_source() const override { return TableSource::stepwise; }

    TableHistory stepwise() const override { return stepwise_; }

private:
    TableHistory stepwise_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AscParams& params, const Framing& framing) {
    return std::make_unique<AscCodec>(params, framing);
}

}   // namespace oscar
