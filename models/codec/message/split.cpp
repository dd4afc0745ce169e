#include "models/codec/message/split.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "models/codec/bits/bit_stream.hpp"
#include "models/codec/bits/little_endian.hpp"
#include "models/codec/interface/forwarding_codec.hpp"
#include "models/codec/interface/packed.hpp"
#include "models/codec/message/zero_runs.hpp"

namespace oscar {
namespace {

constexpr std::size_t length_bytes = 4;

/// Codes classes apart; all but that is as the codec that it uses.
class SplitCodec : public ForwardingCodec {
public:
    SplitCodec(std::unique_ptr<Codec> codec, const Framing& framing, std::uint32_t classes, bool runs)
        : ForwardingCodec(std::move(codec)), framing_(framing), classes_(classes), runs_(runs) {}

    bool uses_classes() const override { return true; }
    bool constant_rate() const override { return false; }

    Bytes bound(std::size_t symbols, std::uint32_t width) const override {
        // Cut in pieces, each needs at most a header, padding and a length more; a run, 66 bits for 64 symbols.
        const std::uint64_t piece = inner().bound(1, width).count + length_bytes;
        return inner().bound(symbols, width) + Bytes{classes_ * piece + (symbols / zero_group + 1) * 9};
    }

    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override;
    std::vector<Block> sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                    const Tables& tables) const override;
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override;
    std::vector<Block> blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                 const Tables& tables) const override;

private:
    using Positions = std::vector<std::uint32_t>;   // of symbols in the message

    /// Calls f(symbols, tables) for each message of a class, and runs(symbols) for the zeros of class 0, in order.
    template <class Runs, class F>
    void for_each_piece(std::span<const Symbol> symbols, const Tables& tables, Runs&& runs, F&& f) const;
    std::vector<Positions> parts(std::span<const std::uint8_t> classes) const;
    std::uint32_t sub_streams_for(std::size_t symbols) const {
        return framing_.sub_streams_for(static_cast<std::uint32_t>(symbols));
    }

    Framing framing_;
    std::uint32_t classes_;
    bool runs_;   // for class 0
};

/// Joins pieces one after the other, each with its length before it.
class Joiner {
public:
    void add(const Encoded& piece) {
        const std::uint64_t start = bytes_.size();
        append_little_endian(bytes_, static_cast<std::uint32_t>(piece.bytes.size()), length_bytes);
        bytes_.insert(bytes_.end(), piece.bytes.begin(), piece.bytes.end());
        add_blocks(piece.blocks, start);
    }
    /// The blocks of a piece whose length stands at `start`; it counts to the first of them.
    void add_blocks(std::span<const Block> blocks, std::uint64_t start) {
        for (const Block& block : blocks) {
            const std::uint64_t head = block.offset == 0 ? length_bytes : 0;
            Block& joined = blocks_.emplace_back(block);
            joined.first_value = values_;
            joined.offset = start + block.offset + length_bytes - head;
            joined.bytes += head;
            values_ += block.values;
        }
    }
    /// Of the pieces whose blocks were added.
    std::uint64_t size() const { return blocks_.empty() ? 0 : blocks_.back().offset + blocks_.back().bytes; }
    Encoded take() { return {std::move(bytes_), std::move(blocks_)}; }
    std::vector<Block> take_blocks() { return std::move(blocks_); }

private:
    std::vector<std::byte> bytes_;
    std::vector<Block> blocks_;
    std::uint32_t values_ = 0;
};

/// The next piece and where it stands.
class Pieces {
public:
    explicit Pieces(std::span<const std::byte> bytes) : bytes_(bytes) {}
    std::span<const std::byte> next() {
        start_ = at_;
        if (bytes_.size() - at_ < length_bytes) throw CorruptStream("split: the message ends before the next class");
        const std::uint32_t length = little_endian(bytes_, at_, length_bytes);
        at_ += length_bytes;
        if (bytes_.size() - at_ < length) throw CorruptStream("split: a class is longer than the message");
        at_ += length;
        return bytes_.subspan(at_ - length, length);
    }
    /// The same, cut off where the bytes end; nothing if its length is not there.
    std::optional<std::span<const std::byte>> next_begin() {
        start_ = at_;
        if (bytes_.size() - at_ < length_bytes) return std::nullopt;
        const std::uint64_t length = little_endian(bytes_, at_, length_bytes),
                            left = bytes_.size() - at_ - length_bytes;
        whole_ = length <= left;
        at_ += length_bytes + std::min(length, left);
        return bytes_.subspan(start_ + length_bytes, at_ - start_ - length_bytes);
    }
    /// Whether all of the piece was there that next_begin() returned.
    bool whole() const { return whole_; }
    std::uint64_t start() const { return start_; }
    void require_end() const {
        if (at_ != bytes_.size()) throw CorruptStream("split: bytes after the last class");
    }

private:
    std::span<const std::byte> bytes_;
    std::size_t at_ = 0, start_ = 0;
    bool whole_ = true;
};

std::vector<Symbol> gather(std::span<const Symbol> symbols, std::span<const std::uint32_t> positions) {
    std::vector<Symbol> result;
    for (const std::uint32_t at : positions) result.push_back(symbols[at]);
    return result;
}

bool fill(std::span<const Block> blocks, std::span<const std::byte> piece) {
    return !blocks.empty() && blocks.back().offset + blocks.back().bytes == piece.size();
}

Block block_of_runs(const CodingCost& work, std::size_t bytes) {
    return {0, static_cast<std::uint32_t>(work.values), 0, bytes, work};
}

std::vector<SplitCodec::Positions> SplitCodec::parts(std::span<const std::uint8_t> classes) const {
    std::vector<Positions> result(classes_);
    for (std::size_t i = 0; i < classes.size(); ++i) result[classes[i]].push_back(static_cast<std::uint32_t>(i));
    return result;
}

template <class Runs, class F>
void SplitCodec::for_each_piece(std::span<const Symbol> symbols, const Tables& tables, Runs&& runs, F&& f) const {
    auto positions = parts(tables.classes());
    const std::uint16_t check = tables.check();
    if (runs_ && !positions[0].empty()) {
        runs(gather(symbols, positions[0]));
        std::ranges::copy_if(positions[0], std::back_inserter(positions[1]),
                             [&](std::uint32_t at) { return symbols[at] != 0; });
    }
    for (std::size_t c = runs_ ? 1 : 0; c < classes_; ++c)
        if (!positions[c].empty()) f(gather(symbols, positions[c]), tables.only(c, check));
}

Encoded SplitCodec::encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const {
    if (tables.classes().empty()) return inner().encode(symbols, context, Tables(tables.of_class(0)));
    require_legal(symbols, context.width);
    Joiner joiner;
    for_each_piece(
        symbols, tables,
        [&](const std::vector<Symbol>& zeros) {
            Encoded piece;
            const CodingCost work = append_zero_runs(piece.bytes, zeros, sub_streams_for(zeros.size()));
            piece.blocks.push_back(block_of_runs(work, piece.bytes.size()));
            joiner.add(piece);
        },
        [&](const std::vector<Symbol>& part, const Tables& table) {
            joiner.add(inner().encode(part, context, table));
        });
    return joiner.take();
}

std::vector<Block> SplitCodec::sized_blocks(std::span<const Symbol> symbols, const Context& context,
                                            const Tables& tables) const {
    if (tables.classes().empty()) return inner().sized_blocks(symbols, context, Tables(tables.of_class(0)));
    require_legal(symbols, context.width);
    Joiner joiner;
    for_each_piece(
        symbols, tables,
        [&](const std::vector<Symbol>& zeros) {
            const CodingCost work = zero_runs_work(zeros, sub_streams_for(zeros.size()));
            joiner.add_blocks(std::vector{block_of_runs(work, bytes_for(work.offset_bits))}, joiner.size());
        },
        [&](const std::vector<Symbol>& part, const Tables& table) {
            joiner.add_blocks(inner().sized_blocks(part, context, table), joiner.size());
        });
    return joiner.take_blocks();
}

std::vector<Block> SplitCodec::decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                                      std::span<Symbol> out) const {
    if (tables.classes().empty()) return inner().decode(bytes, context, Tables(tables.of_class(0)), out);
    auto positions = parts(tables.classes());
    const std::uint16_t check = tables.check();
    Joiner joiner;
    Pieces pieces(bytes);
    if (runs_ && !positions[0].empty()) {
        const auto piece = pieces.next();
        const ZeroRuns runs = read_zero_runs(piece, positions[0].size(), sub_streams_for(positions[0].size()));
        joiner.add_blocks(std::vector{block_of_runs(runs.work, piece.size())}, pieces.start());
        for (const std::uint32_t at : positions[0]) out[at] = 0;
        for (const std::uint32_t exception : runs.exceptions) positions[1].push_back(positions[0][exception]);
    }
    for (std::size_t c = runs_ ? 1 : 0; c < classes_; ++c) {
        if (positions[c].empty()) continue;
        std::vector<Symbol> part(positions[c].size());
        const auto piece = pieces.next();
        joiner.add_blocks(inner().decode(piece, context, tables.only(c, check), part), pieces.start());
        for (std::size_t i = 0; i < part.size(); ++i) out[positions[c][i]] = part[i];
    }
    pieces.require_end();
    return joiner.take_blocks();
}

std::vector<Block> SplitCodec::blocks_in(std::span<const std::byte> begin, std::size_t symbols, const Context& context,
                                         const Tables& tables) const {
    if (tables.classes().empty()) return inner().blocks_in(begin, symbols, context, Tables(tables.of_class(0)));
    auto positions = parts(tables.classes());
    Joiner joiner;
    Pieces pieces(begin);
    if (runs_ && !positions[0].empty()) {
        const auto piece = pieces.next_begin();
        if (!piece || !pieces.whole()) return {};
        const ZeroRuns runs = read_zero_runs(*piece, positions[0].size(), sub_streams_for(positions[0].size()));
        joiner.add_blocks(std::vector{block_of_runs(runs.work, piece->size())}, pieces.start());
        positions[1].resize(positions[1].size() + runs.exceptions.size());   // their number is all that counts
    }
    for (std::size_t c = runs_ ? 1 : 0; c < classes_ && pieces.whole(); ++c) {
        if (positions[c].empty()) continue;
        const auto piece = pieces.next_begin();
        if (!piece) break;
        const auto blocks = inner().blocks_in(*piece, positions[c].size(), context, tables.only(c, tables.check()));
        joiner.add_blocks(blocks, pieces.start());
        if (!fill(blocks, *piece)) break;   // more has to come, or an altered length hides what follows it
    }
    return joiner.take_blocks();
}

}   // namespace

std::unique_ptr<Codec> make_split_codec(const SplitChoice& split, std::unique_ptr<Codec> codec, const Framing& framing,
                                        std::uint32_t classes) {
    if (std::holds_alternative<NoSplitParams>(split.params)) return codec;
    if (std::holds_alternative<ContextSplitParams>(split.params)) {
        if (!codec->uses_classes())
            throw std::invalid_argument(
                "split context: this codec has no tables by class; choose split: physical or none, or a codec that "
                "has, like asc");
        return codec;
    }
    const bool runs = std::holds_alternative<TwoCodersSplitParams>(split.params);
    return std::make_unique<SplitCodec>(std::move(codec), framing, std::max(classes, 2u), runs);
}

}   // namespace oscar
