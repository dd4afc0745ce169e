#include "models/codec/rans.hpp"

#include "models/codec/rans_coder.hpp"
#include "models/codec/table_codec.hpp"

namespace oscar {

namespace {

class RansCodec final : public TableCodec {
public:
    RansCodec(const RansParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<RansCoder>(params.layout)), history_(params.history) {}

    TableSource table_source() const override { return TableSource::stepwise; }
    std::uint32_t history_shift() const override { return history_; }

private:
    std::uint32_t history_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const RansParams& params, const Framing& framing) {
    return std::make_unique<RansCodec>(params, framing);
}

}   // namespace oscar
