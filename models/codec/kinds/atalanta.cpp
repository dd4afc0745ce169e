#include "models/codec/kinds/atalanta.hpp"

#include "models/codec/entropy/lane_coder.hpp"
#include "models/codec/learning/table_heuristic.hpp"
#include "models/codec/learning/table_search.hpp"
#include "models/codec/message/table_codec.hpp"

namespace oscar {

namespace {

class AtalantaCodec final : public TableCodec {
public:
    AtalantaCodec(const AtalantaParams& params, const Framing& framing)
        : TableCodec(framing, std::make_unique<LaneCoder>(Layout::ranges, Adaptation{})), params_(params) {}

    TableSource table_source() const override {
        switch (params_.table) {
            case AtalantaTable::profiled:
                return TableSource::profiled;
            case AtalantaTable::pooled:
                return TableSource::pooled;
            case AtalantaTable::sent_inline:
                break;
        }
        return TableSource::sent_inline;
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override {
        const bool exact = params_.search == AtalantaSearch::exact;
        return search_ranges(counts, width, exact ? best_partition : heuristic_partition);
    }

private:
    AtalantaParams params_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AtalantaParams& params, const Framing& framing) {
    return std::make_unique<AtalantaCodec>(params, framing);
}

}   // namespace oscar
