// A verilated decoder array with the messages that come to it.
#pragma once

#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::test {

/// A packet as it comes from the link.
using Packet = std::vector<std::byte>;

template <class V>
std::vector<Packet> packets_of(const Message<V>& message) {
    std::vector<Packet> packets;
    for (const Block& block : message.encoded.blocks) {
        const auto bytes = message.bytes(block);
        packets.emplace_back(bytes.begin(), bytes.end());
    }
    return packets;
}

/// In how many of 100 cycles each port holds still.
struct SinkStalls {
    std::uint32_t block = 0, in = 0, side = 0, out = 0;
};

/// Edges at which transfers of a block took place.
struct DecodedEdges {
    std::uint64_t first_beat = 0, last_beat = 0, loaded = 0;
    std::uint64_t first_sums = 0, last_sums = 0;   ///< valid
};

template <class V>
class DecoderArrayBench {
public:
    explicit DecoderArrayBench(std::uint64_t seed) : random_(seed) { array_.reset(); }

    /// Puts packets through, which are announced as the blocks of `message`. Returns sums in order of the symbols; sum
    /// i has the local value local(i). Of a `damaged` block no sums are expected.
    std::vector<std::uint32_t> decode(const Message<V>& message, const std::vector<Packet>& packets,
                                      SinkStalls stalls = {}, std::size_t damaged = SIZE_MAX) {
        if (message.brought) {   // others, which must not decide anything
            write_tables<V>(array_, random_tables<V>(random_));
            array_->width = array_->table_width = static_cast<CData>(message.context.width);
        } else {
            write_tables<V>(array_, message.tables);
        }
        edges.assign(packets.size(), {});
        errors = 0;
        beats_.clear();
        for (std::size_t p = 0; p < packets.size(); ++p)
            for (std::size_t at = 0; at == 0 || at < packets[p].size(); at += 64) beats_.emplace_back(p, at);
        std::deque<SlotBeat> classes, locals;
        for (std::size_t b = 0; b < message.encoded.blocks.size(); ++b)
            if (b != damaged)
                for (auto& beat : slots_of(message, message.encoded.blocks[b])) classes.push_back(std::move(beat));
        locals = classes;
        std::vector<std::uint32_t> sums;
        std::size_t next_block = 0, done = 0;
        std::uint64_t idle = 0;
        while ((done + errors < packets.size() || !beats_.empty()) && idle < 5000) {
            const std::vector<Block>& blocks = message.encoded.blocks;
            offer(array_->block_valid, next_block < blocks.size(), stalls.block);
            offer(array_->tvalid, !beats_.empty(), stalls.in);
            offer(array_->class_valid, !classes.empty(), stalls.side);
            offer(array_->local_valid, !locals.empty(), stalls.side);
            array_->out_ready = random_() % 100 >= stalls.out;
            if (array_->block_valid) announce(*array_.operator->(), message, blocks[next_block]);
            if (array_->tvalid) put(packets);
            if (array_->class_valid) put_classes(classes.front());
            if (array_->local_valid)
                for (std::size_t l = 0; l < V::lanes; ++l)
                    set_bits(array_->local_values, 32 * l, 32,
                             l < locals.front().symbols.size() ? local(sums_given_ + l) : 0);
            array_.settle();
            const bool announced = array_->block_valid && array_->block_ready, taken = array_->tvalid && array_->tready,
                       classed = array_->class_valid && array_->class_ready,
                       added = array_->local_valid && array_->local_ready, out = array_->out_valid && array_->out_ready;
            errors += array_->error;
            if (array_->loaded) edges[loaded_++ % edges.size()].loaded = array_.cycles();
            if (array_->out_valid) {
                DecodedEdges& of = edges[std::min(done, edges.size() - 1)];
                if (of.first_sums == 0) of.first_sums = array_.cycles();
                if (array_->out_last && of.last_sums == 0) of.last_sums = array_.cycles();
            }
            if (out) {
                for (std::size_t l = 0; l < array_->out_count; ++l) sums.push_back(bits(array_->out_sums, 32 * l, 32));
                done += array_->out_last;
            }
            idle = announced || taken || out ? 0 : idle + 1;
            array_.tick();
            if (announced) ++next_block, array_->block_valid = 0;
            if (taken) taken_beat();
            if (classed) classes.pop_front(), array_->class_valid = 0;
            if (added) {
                sums_given_ += locals.front().symbols.size();
                locals.pop_front();
                array_->local_valid = 0;
            }
        }
        EXPECT_LT(idle, 5000u) << "the array hangs";
        sums_given_ = 0;
        loaded_ = 0;
        array_->out_ready = array_->class_valid = array_->local_valid = 1;
        for (int i = 0; i < 300; ++i) {   // nothing comes behind the last block, but the rest of a damaged raw one
            array_.tick();
            EXPECT_TRUE(!array_->out_valid || errors > 0);
        }
        array_->class_valid = array_->local_valid = 0;
        return sums;
    }
    /// Local value of symbol i of a message.
    static std::uint32_t local(std::size_t i) { return static_cast<std::uint32_t>(i * 2654435761u); }

    std::vector<DecodedEdges> edges;
    std::size_t errors = 0;

private:
    // `valid` does not fall before the transfer.
    template <class Port>
    void offer(Port& valid, bool there, std::uint32_t stalls) {
        valid = there && (valid || random_() % 100 >= stalls);
    }
    void put(const std::vector<Packet>& packets) {
        const auto [p, at] = beats_.front();
        const Packet& packet = packets[p];
        const std::size_t size = std::min<std::size_t>(64, packet.size() - at);
        for (std::size_t k = 0; k < 64; ++k)   // what is not kept is anything
            set_bits(array_->tdata, 8 * k, 8, k < size ? std::to_integer<std::uint32_t>(packet[at + k]) : 0xA5);
        array_->tkeep = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
        array_->tlast = at + 64 >= packet.size();
    }
    void taken_beat() {
        const auto [p, at] = beats_.front();
        if (at == 0) edges[p].first_beat = array_.cycles();
        if (array_->tlast) edges[p].last_beat = array_.cycles();
        beats_.pop_front();
        array_->tvalid = 0;
    }
    void put_classes(const SlotBeat& beat) {
        std::uint64_t classes = 0;
        for (std::size_t l = 0; l < beat.classes.size(); ++l)
            classes |= std::uint64_t{beat.classes[l]} << V::class_bits * l;
        array_->in_classes = static_cast<std::remove_reference_t<decltype(array_->in_classes)>>(classes);
    }
    Clocked<typename V::Module> array_;
    std::mt19937_64 random_;
    std::deque<std::pair<std::size_t, std::size_t>> beats_;   // packet, byte
    std::size_t sums_given_ = 0, loaded_ = 0;
};

}   // namespace oscar::test
