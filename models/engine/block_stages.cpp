#include "models/engine/block_stages.hpp"

#include <algorithm>

namespace oscar {
namespace {

// Encoder.
constexpr Cycles packer_gap = 2;        ///< between the last chunk of a block and the first of the next
constexpr Cycles beat_stages = 4;       ///< from the last chunk out of the buffers to the last beat of the block
constexpr Cycles uncoded_gap = 4;       ///< least cycles between the ends of two uncoded blocks, without headers
constexpr Cycles uncoded_overlap = 6;   ///< cycles before the end of a coded block in which an uncoded one may begin

// Decoder.
constexpr Cycles unpacker_steps = 4;   ///< announcement, header, addition of the lengths, check
constexpr Cycles lane_steps = 3;       ///< from the release of a half of the buffers to the last sums
constexpr Cycles sum_steps = 2;        ///< from the last symbol of a block to its sums
constexpr Cycles chunk_steps = 1;      ///< from the last chunk of an uncoded block to its sums
constexpr Cycles pipe_steps = 5;       ///< by which the sums of a coded block are later than those of an uncoded one
constexpr Cycles adder_steps = 10;     ///< from the header of an uncoded block to the first sums, beyond the store
constexpr Cycles table_read = 7;       ///< cycles before the lanes take a block in which its table has been written
constexpr Cycles table_steps = 21;     ///< from the last sums of a block to the end of an inline table's 16 rows

/// `cycles` before `at`, from cycle 0 on.
Cycles before(Cycles at, Cycles cycles) { return at > cycles ? at - cycles : 0; }

void shift_in(std::array<Cycles, 2>& last, Cycles done) { last = {done, last[0]}; }

}   // namespace

std::optional<Cycles> LoadedTables::load(const BlockDemand& block, bool decodes) {
    bool other_width = width_ != block.width;
    width_ = block.width;
    if (!block.uncoded) {
        other_width = other_width || table_width_ != block.width;
        table_width_ = block.width;
    }
    const bool other_tables = block.tables && tables_ != block.tables;
    if (other_tables) tables_ = block.tables;
    if (other_tables && !(decodes && block.brings)) return block.load;
    return other_width ? std::optional<Cycles>(0) : std::nullopt;
}

BlockStages EncoderStages::serve(Cycles ready, const BlockDemand& block) {
    Cycles begin = std::max({ready, free_, before(done_[1], beat_stages)});
    if (const auto load = tables_.load(block, false)) begin = std::max(begin, done_[0]) + *load;
    Cycles done = 0;
    if (block.uncoded) {
        if (after_coded_) begin = std::max(begin, before(done_[0], uncoded_overlap + block.stored));
        else
            begin =
                std::max(begin, before(done_[0] + uncoded_gap + (block.headed ? 1 : 0), block.lanes + block.latency));
        free_ = begin + block.lanes + (block.fills_packer ? 2 : 1) + block.tail;
        done = begin + block.lanes + block.latency + block.tail;
    } else {
        free_ = begin + block.lanes;
        done = std::max(free_ + block.latency, done_[0] + packer_gap) + block.chunks;
    }
    shift_in(done_, done);
    after_coded_ = !block.uncoded;
    return {begin, begin + block.lanes, free_, done};
}

BlockStages DecoderStages::serve(Cycles ready, const BlockDemand& block) {
    Cycles begin = std::max(ready, free_);
    if (const auto load = tables_.load(block, true)) begin = std::max(begin, done_[0]) + *load;
    const BlockStages stages = block.uncoded ? serve_uncoded(begin, block) : serve_coded(begin, block);
    shift_in(done_, stages.done);
    after_uncoded_ = block.uncoded;
    free_ = stages.free;
    return stages;
}

/// All that an uncoded block waits for lies as many cycles later as the block before it is done later.
void DecoderStages::serve_more(std::uint32_t blocks, Cycles stride) {
    for (Cycles* cycle : {&free_, &uncoded_free_, done_.data(), done_.data() + 1}) *cycle += blocks * stride;
}

BlockStages DecoderStages::serve_uncoded(Cycles ready, const BlockDemand& block) {
    const Cycles begin = std::max(ready, uncoded_free_), beyond = block.chunks - block.stored;
    const Cycles added = std::max(begin + block.latency, done_[0] + chunk_steps) + block.lanes;
    const Cycles read =
        std::max({begin + unpacker_steps + block.chunks, begin + adder_steps + beyond, done_[0] + sum_steps + beyond});
    const Cycles done = std::max(added, read);
    const bool reads_last = read > added || (read == added && beyond > 0);
    uncoded_free_ = before(done, reads_last ? chunk_steps : sum_steps);
    const Cycles stored = beyond == 0 ? 0 : before(done + chunk_steps, block.ahead);
    return {done - block.lanes, done, std::max(begin + block.chunks, stored), done};
}

BlockStages DecoderStages::serve_coded(Cycles ready, const BlockDemand& block) {
    const Cycles begin = std::max({ready, before(half_[1], lane_steps), block.brings ? table_free_ : 0});
    const Cycles read = begin + unpacker_steps + block.chunks;
    const Cycles pause = block.brings ? table_steps : after_uncoded_ ? pipe_steps : 0;
    const Cycles lanes = std::max(read + block.latency, done_[0] + pause);
    const Cycles done = lanes + block.lanes;
    shift_in(half_, done);
    if (block.brings) table_free_ = before(lanes, table_read);
    return {lanes, done, read, done};
}

}   // namespace oscar
