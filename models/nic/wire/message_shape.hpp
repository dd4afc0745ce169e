// Shape of a message: which packets complete which blocks. The work of its two NICs, and its times, follow from that.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/network/link/packet.hpp"

namespace oscar {

/// Blocks of equal cost to the units of a NIC. Evenly spaced packets complete them, each the same number.
struct BlockBatches {
    std::uint32_t packet = 0, stride = 1, packets = 1;   ///< the first packet, from one to the next, how many
    std::uint32_t blocks = 1;                            ///< complete with each
    const Block* block = nullptr;                        ///< one of them
    bool continues = false;   ///< the packet, of which there is then one, completes the blocks before them too
};

/// Blocks that cost the same, one after the other.
struct BlockRun {
    std::uint32_t first = 0, count = 1;
    const Block* block = nullptr;
};

struct MessageShape {
    std::uint32_t packets = 1;
    std::vector<BlockRun> runs;            ///< all blocks
    std::vector<BlockBatches> batches;     ///< all blocks, in the order in which they are complete
    std::vector<std::uint32_t> complete;   ///< packets with which blocks are, the first and the last: for the receiver
    std::vector<std::uint32_t> ends;       ///< the first and the last
};

/// The shape of a message in packets of `packet` bytes. It points at the message's blocks.
MessageShape shape_of(const Encoded& message, Bytes packet);

/// Shapes of the messages seen last; of one that many steps share it is made once.
class MessageShapes {
public:
    explicit MessageShapes(Bytes packet) : packet_(packet) {}
    /// The shape of a message. Only shapes of messages that show neither bytes nor values are kept; the others are made
    /// for each call.
    std::shared_ptr<const MessageShape> of(const std::shared_ptr<const Encoded>& message);

private:
    static constexpr std::size_t most = 64;   // chunk sizes times widths of a job whose messages are shared
    struct CacheEntry {
        std::shared_ptr<const Encoded> message;   ///< held, so that no other message takes its place in memory
        std::shared_ptr<const MessageShape> shape;
    };
    Bytes packet_;
    std::unordered_map<const Encoded*, CacheEntry> cache_;
};

}   // namespace oscar
