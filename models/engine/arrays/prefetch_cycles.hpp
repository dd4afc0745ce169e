// The cycles of the lanes' stream_prefetch.sv: when the first words of a block stand ready in all lanes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "models/engine/arrays/word_takes.hpp"

namespace oscar {

/// One kind of stream in all lanes. Each stream has a turn in STREAMS cycles, in which it fetches a word: of the block
/// in the lanes, or the next where none is, if it has room, else of the other one.
class PrefetchCycles {
public:
    explicit PrefetchCycles(const ArrayShape& shape);

    /// What lanes take in a cycle: words of this stream.
    struct Take {
        std::uint32_t stream = 0;
        std::span<const std::uint64_t> lanes = {};   ///< none: nothing is taken
        bool ends = false;                           ///< of the block in the lanes nothing is taken after this
    };
    /// The edge that ends cycle `now`; `loaded`: halves whose blocks are there.
    void step(Cycles now, const std::array<bool, 2>& loaded, const Take& take);
    /// The half is empty.
    void clear(std::uint32_t half);
    bool filled(std::uint32_t half) const { return halves_[half].wanting == 0; }
    /// The cycle of the last fetch that filled it. Precondition: filled(half).
    Cycles last_fetch(std::uint32_t half) const { return halves_[half].last_fetch; }

private:
    static constexpr std::uint8_t depth = 4;   // words in a queue
    struct Half {
        std::vector<std::uint8_t> words;   // that were fetched at first, by stream and lane, up to `depth`
        std::size_t wanting = 0;           // queues with fewer
        Cycles last_fetch = 0;
    };
    bool wants(const Half& half, std::size_t queue) const { return half.words[queue] < depth; }
    void fetch(Half& half, std::size_t queue, Cycles now);

    std::uint32_t lanes_, streams_, turn_ = 0;
    std::uint32_t prefer_ = 0;   // the half in the lanes, or next: blocks take turns
    std::array<Half, 2> halves_;
    std::vector<LaneSet> taken_;   // by stream: lanes that have taken a word that was not yet replaced
};

}   // namespace oscar
