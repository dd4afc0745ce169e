// A verilated encoder array with the messages that go through it.
#pragma once

#include "tests/engine/rtl/array_bench.hpp"

namespace oscar::test {

/// In how many of 100 cycles each port holds still.
struct PortStalls {
    std::uint32_t block = 0, in = 0, out = 0;
};

/// Edges at which transfers of a block took place.
struct BlockEdges {
    std::uint64_t first_symbols = 0, last_symbols = 0, announced = 0;
    std::vector<std::uint64_t> beats;   ///< at which each beat became valid
};

template <class V>
class EncoderArrayBench {
public:
    explicit EncoderArrayBench(std::uint64_t seed) : random_(seed) { array_.reset(); }

    /// Puts a message through. Returns its packets. With `all_coded`, raw blocks are announced as coded ones.
    std::vector<std::vector<std::byte>> encode(const Message<V>& message, PortStalls stalls = {},
                                               bool all_coded = false) {
        write_tables<V>(array_, message.tables);
        std::vector<std::vector<std::byte>> packets(1);
        edges.assign(message.encoded.blocks.size(), {});
        std::deque<std::pair<std::size_t, SlotBeat>> beats;
        for (std::size_t b = 0; b < message.encoded.blocks.size(); ++b)
            for (auto& beat : slots_of(message, message.encoded.blocks[b])) beats.emplace_back(b, std::move(beat));
        std::size_t next_block = 0, done = 0;
        bool seen = false;   // the beat that is on the port
        refused = 0;
        const std::uint64_t limit = array_.cycles() + 20 * message.symbols.size() + 20000;
        while (done + refused < edges.size()) {
            if (array_.cycles() > limit) {
                ADD_FAILURE() << "the array hangs";
                break;
            }
            offer(array_->block_valid, next_block < edges.size(), stalls.block);
            offer(array_->in_valid, !beats.empty(), stalls.in);
            array_->tready = random_() % 100 >= stalls.out;
            if (array_->block_valid) announce(*array_.operator->(), message, message.encoded.blocks[next_block]);
            if (all_coded) set_bits(array_->block_header, 0, 8, 1);
            if (array_->in_valid) put(beats.front().second);
            array_.settle();
            refused += array_->refused;
            if (array_->tvalid && !seen) edges[done + refused].beats.push_back(array_.cycles());
            seen = array_->tvalid && !array_->tready;
            if (array_->tvalid && array_->tready) done += take(packets);
            const bool announced = array_->block_valid && array_->block_ready;
            const bool taken = array_->in_valid && array_->in_ready;
            array_.tick();
            if (announced) {
                edges[next_block++].announced = array_.cycles();
                array_->block_valid = 0;
            }
            if (taken) {
                BlockEdges& of = edges[beats.front().first];
                if (of.first_symbols == 0) of.first_symbols = array_.cycles();
                of.last_symbols = array_.cycles();
                beats.pop_front();
                array_->in_valid = 0;
            }
        }
        packets.pop_back();
        return packets;
    }
    std::vector<BlockEdges> edges;
    std::size_t refused = 0;

private:
    // `valid` does not fall before the transfer.
    template <class Port>
    void offer(Port& valid, bool there, std::uint32_t stalls) {
        valid = there && (valid || random_() % 100 >= stalls);
    }
    void put(const SlotBeat& beat) {
        for (std::size_t l = 0; l < V::lanes; ++l) {   // what has no symbol is anything
            const auto symbol = l < beat.symbols.size() ? static_cast<std::uint32_t>(beat.symbols[l]) : 0xDEADBEEF;
            set_bits(array_->in_symbols, 32 * l, 32, symbol);
        }
        std::uint64_t classes = 0;
        for (std::size_t l = 0; l < beat.classes.size(); ++l)
            classes |= std::uint64_t{beat.classes[l]} << V::class_bits * l;
        array_->in_classes = static_cast<std::remove_reference_t<decltype(array_->in_classes)>>(classes);
    }
    bool take(std::vector<std::vector<std::byte>>& packets) {
        const std::uint64_t keep = array_->tkeep;
        EXPECT_EQ(keep & (keep + 1), 0u) << "bytes are kept from the first on";
        EXPECT_TRUE(array_->tlast || keep == ~std::uint64_t{0}) << "only the last beat may be short";
        for (std::size_t k = 0; k < 64 && keep >> k & 1; ++k)
            packets.back().push_back(static_cast<std::byte>(bits(array_->tdata, 8 * k, 8)));
        if (array_->tlast) packets.emplace_back();
        return array_->tlast;
    }
    Clocked<typename V::Module> array_;
    std::mt19937_64 random_;
};

}   // namespace oscar::test
