// Codec that forwards to another one whatever it does not define itself.
#pragma once

#include <memory>

#include "models/codec/interface/codec.hpp"

namespace oscar {

class ForwardingCodec : public Codec {
public:
    explicit ForwardingCodec(std::unique_ptr<const Codec> codec) : codec_(std::move(codec)) {}

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override {
        return codec_->encode(symbols, context, tables);
    }
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables& tables) const override {
        return codec_->sized_blocks(symbols, context, tables);
    }
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override {
        return codec_->decode(bytes, context, tables, out);
    }
    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables& tables) const override {
        return codec_->blocks_in(begin, symbols, context, tables);
    }
    Bytes bound(std::size_t symbols, std::uint32_t width) const override { return codec_->bound(symbols, width); }
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table* table) const override {
        return codec_->cost(symbol, width, table);
    }
    bool uses_classes() const override { return codec_->uses_classes(); }
    TableSource table_source() const override { return codec_->table_source(); }
    void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const override {
        codec_->learn(symbols, width, counts);
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override {
        return codec_->make_table(counts, width);
    }
    TableHistory stepwise() const override { return codec_->stepwise(); }
    bool constant_rate() const override { return codec_->constant_rate(); }
    bool adds_coded() const override { return codec_->adds_coded(); }
    bool uses_engine() const override { return codec_->uses_engine(); }

protected:
    const Codec& inner() const { return *codec_; }

private:
    std::unique_ptr<const Codec> codec_;
};

}   // namespace oscar
