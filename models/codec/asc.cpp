#include "models/codec/asc.hpp"

#include <stdexcept>

#include "models/codec/table_codec.hpp"

namespace oscar {

namespace {

class AscCodec final : public TableCodec {
public:
    AscCodec(const AscParams& params, const Framing& framing)
        : TableCodec(framing, Layout::magnitude), history_(params.history) {}

    TableSource table_source() const override { return TableSource::stepwise; }

    void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const override {
        const Table rows = Table::magnitudes(width, {});
        counts.resize(table_rows);
        for (const Symbol symbol : symbols) ++counts[rows.locate(symbol).row];
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override {
        if (counts.size() != table_rows) throw std::invalid_argument("asc: a table is made of 16 counts");
        return Table::magnitudes(width, normalise(std::span<const std::uint64_t, table_rows>(counts)));
    }
    std::uint32_t history_shift() const override { return history_; }

private:
    std::uint32_t history_;
};

}   // namespace

std::unique_ptr<Codec> make_codec(const AscParams& params, const Framing& framing) {
    return std::make_unique<AscCodec>(params, framing);
}

}   // namespace oscar
