// Algorithms of MSCCL as text, as its tools write them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace oscar::test {

/// The text of a threadblock: steps are numbered as they are added.
class BlockText {
public:
    BlockText(int send, int receive, int channel = 0) : send_(send), receive_(receive), channel_(channel) {}
    /// `from`, `to`: like "i3".
    BlockText& step(const std::string& type, const std::string& from, const std::string& to, int count = 1,
                    int waits_block = -1, int waits_step = -1) {
        steps_ += fmt::format(
            "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
            "depid=\"{}\" deps=\"{}\" hasdep=\"0\"/>\n",
            count_++, type, from.substr(0, 1), from.substr(1), to.substr(0, 1), to.substr(1), count, waits_block,
            waits_step);
        return *this;
    }
    std::string text(std::size_t id) const {
        return fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n{}    </tb>\n", id, send_, receive_,
                           channel_, steps_);
    }

private:
    int send_, receive_, channel_, count_ = 0;
    std::string steps_;
};

inline std::string algorithm_text(const std::string& collective, std::uint32_t chunks,
                                  const std::vector<std::vector<BlockText>>& gpus) {
    std::string text = fmt::format(
        "<algo name=\"test\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
        "inplace=\"1\">\n",
        chunks, gpus.size(), collective);
    for (std::size_t g = 0; g < gpus.size(); ++g) {
        text += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"0\" s_chunks=\"0\">\n", g, chunks);
        for (std::size_t b = 0; b < gpus[g].size(); ++b) text += gpus[g][b].text(b);
        text += "  </gpu>\n";
    }
    return text + "</algo>\n";
}

inline std::string place(char buffer, std::uint32_t chunk) { return buffer + std::to_string(chunk); }

/// A ring AllReduce of n GPUs and n chunks, a threadblock each: chunk g is sent by GPU g first, reduced on its way
/// round, and copied on the second.
inline std::string ring_text(std::uint32_t n) {
    std::vector<std::vector<BlockText>> gpus;
    for (std::uint32_t g = 0; g < n; ++g) {
        BlockText block(static_cast<int>((g + 1) % n), static_cast<int>((g + n - 1) % n));
        const auto chunk = [&](std::uint32_t back) { return place('i', (g + 2 * n - back) % n); };
        block.step("s", chunk(0), chunk(0));
        for (std::uint32_t k = 1; k < n - 1; ++k) block.step("rrs", chunk(k), chunk(k));
        block.step("rrcs", chunk(n - 1), chunk(n - 1));
        for (std::uint32_t k = 0; k < n - 2; ++k) block.step("rcs", chunk(k), chunk(k));
        block.step("r", chunk(n - 2), chunk(n - 2));
        gpus.push_back({block});
    }
    return algorithm_text("allreduce", n, gpus);
}

/// An AllReduce in two steps: chunk j of all into scratch of GPU j, which adds them up and sends the sum back.
inline std::string all_pairs_text(std::uint32_t n) {
    std::vector<std::vector<BlockText>> gpus;
    for (std::uint32_t g = 0; g < n; ++g) {
        std::vector<BlockText> blocks;
        for (std::uint32_t peer = 0; peer < n; ++peer) {
            if (peer == g) continue;
            BlockText block(static_cast<int>(peer), static_cast<int>(peer));
            block.step("s", place('i', peer), place('s', g)).step("r", place('i', g), place('s', peer));
            blocks.push_back(block);
        }
        BlockText sum(-1, -1);   // waits for each of the others
        std::uint32_t other = 0;
        for (std::uint32_t peer = 0; peer < n; ++peer)
            if (peer != g) sum.step("re", place('s', peer), place('i', g), 1, static_cast<int>(other++), 1);
        std::size_t b = 0;
        for (std::uint32_t peer = 0; peer < n; ++peer)
            if (peer != g)
                blocks[b++]
                    .step("s", place('i', g), place('i', g), 1, static_cast<int>(n) - 1, static_cast<int>(n) - 2)
                    .step("r", place('i', peer), place('i', peer));
        blocks.push_back(sum);
        gpus.push_back(blocks);
    }
    return algorithm_text("allreduce", n, gpus);
}

/// An all-gather by recursive doubling of n GPUs, a power of two.
inline std::string doubling_text(std::uint32_t n) {
    std::vector<std::vector<BlockText>> gpus;
    for (std::uint32_t g = 0; g < n; ++g) {
        std::vector<BlockText> blocks;
        for (std::uint32_t half = 1; half < n; half *= 2) {
            const std::uint32_t peer = g ^ half, mine = g / half * half, theirs = peer / half * half;
            BlockText block(static_cast<int>(peer), static_cast<int>(peer));
            const int before = static_cast<int>(blocks.size()) - 1;
            block.step("s", place('o', mine), place('o', mine), static_cast<int>(half), before, 1);
            block.step("r", place('o', theirs), place('o', theirs), static_cast<int>(half));
            blocks.push_back(block);
        }
        gpus.push_back(blocks);
    }
    return algorithm_text("allgather", n, gpus);
}

/// An all-to-all of 4 GPUs in two groups of two: blocks for the other group go by the own partner's scratch.
inline std::string relayed_text() {
    std::vector<std::vector<BlockText>> gpus;
    for (std::uint32_t g = 0; g < 4; ++g) {
        const std::uint32_t partner = g ^ 1, across = g ^ 2;
        // What goes to the partner of `across` is handed to the own partner, which is beside that.
        BlockText inside(static_cast<int>(partner), static_cast<int>(partner));
        inside.step("s", place('i', partner), place('o', g)).step("r", place('o', partner), place('o', partner));
        inside.step("s", place('i', across ^ 1), place('s', 0)).step("r", place('i', 0), place('s', 0));
        BlockText between(static_cast<int>(across), static_cast<int>(across));
        between.step("s", place('i', across), place('o', g)).step("r", place('o', across), place('o', across));
        between.step("s", place('s', 0), place('o', partner), 1, 0, 3);
        between.step("r", place('o', across ^ 1), place('o', across ^ 1));
        gpus.push_back({inside, between});
    }
    return algorithm_text("alltoall", 4, gpus);
}

}   // namespace oscar::test
