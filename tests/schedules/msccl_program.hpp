// Programs of MSCCL as a compiler would write them: an order of moves, cut into threadblocks that wait for each other.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <tuple>

#include "tests/schedules/msccl_text.hpp"

namespace oscar::test {

/// Moves one chunk each, as if one was done after the other. A threadblock for each two GPUs and channel that talk, and
/// one for what a GPU does alone; it waits for the last step of another that wrote or read what it needs, and for more
/// of them by a nop each.
class Program {
public:
    explicit Program(std::uint32_t gpus) : blocks_(gpus) {}

    /// GPU `from` sends what is in `source` to `to`, which puts it into `destination`.
    void send(std::uint32_t from, std::uint32_t to, const std::string& source, const std::string& destination,
              int channel = 0) {
        perform(from, to, channel, "s", source, destination, {source}, {});
        perform(to, from, channel, "r", source, destination, {}, {destination});
    }
    /// The same, added to what is in `destination`.
    void send_and_add(std::uint32_t from, std::uint32_t to, const std::string& source, const std::string& destination,
                      int channel = 0) {
        perform(from, to, channel, "s", source, destination, {source}, {});
        perform(to, from, channel, "rrc", destination, destination, {destination}, {destination});
    }
    void add(std::uint32_t gpu, const std::string& source, const std::string& destination) {
        perform(gpu, gpu, 0, "re", source, destination, {source, destination}, {destination});
    }
    void copy(std::uint32_t gpu, const std::string& source, const std::string& destination) {
        perform(gpu, gpu, 0, "cpy", source, destination, {source}, {destination});
    }
    std::string text(std::uint32_t chunks, const std::string& collective = "allreduce") const {
        std::vector<std::vector<BlockText>> texts;
        for (const auto& of_gpu : blocks_) {
            auto& gpu = texts.emplace_back();
            for (const Block& block : of_gpu) gpu.push_back(block.text);
        }
        return algorithm_text(collective, chunks, texts);
    }

private:
    struct Block {
        BlockText text;
        int steps = 0;
    };
    /// Per threadblock, its last step that did it.
    struct Uses {
        std::map<int, int> reads, writes;
    };
    using Places = std::vector<std::string>;

    int block_of(std::uint32_t gpu, std::uint32_t peer, int channel) {
        const auto [known, fresh] = number_.try_emplace({gpu, peer, channel}, static_cast<int>(blocks_[gpu].size()));
        const int ends = gpu == peer ? -1 : static_cast<int>(peer);
        if (fresh) blocks_[gpu].push_back({BlockText(ends, ends, channel)});
        return known->second;
    }
    void perform(std::uint32_t gpu, std::uint32_t peer, int channel, const std::string& type, const std::string& source,
                 const std::string& destination, const Places& reads, const Places& writes) {
        const int own = block_of(gpu, peer, channel);
        std::map<int, int> awaited;
        const auto await = [&](const std::map<int, int>& uses) {
            for (const auto& [block, step] : uses)
                if (block != own) awaited[block] = std::max(awaited[block], step);
        };
        for (const auto& place : reads) await(uses_[{gpu, place}].writes);
        for (const auto& place : writes) await(uses_[{gpu, place}].writes), await(uses_[{gpu, place}].reads);
        Block& block = blocks_[gpu][static_cast<std::size_t>(own)];
        for (; awaited.size() > 1; awaited.erase(awaited.begin()), ++block.steps)
            block.text.step("nop", "i-1", "o-1", 0, awaited.begin()->first, awaited.begin()->second);
        if (awaited.empty()) awaited[-1] = -1;
        block.text.step(type, source, destination, 1, awaited.begin()->first, awaited.begin()->second);
        for (const auto& place : reads) uses_[{gpu, place}].reads[own] = block.steps;
        for (const auto& place : writes) uses_[{gpu, place}].writes[own] = block.steps;
        ++block.steps;
    }

    std::vector<std::vector<Block>> blocks_;   // [gpu]
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, int> number_;
    std::map<std::pair<std::uint32_t, std::string>, Uses> uses_;
};

/// A move of a chunk, to be done at its place in an order.
using Move = std::function<void(Program&)>;

/// Every GPU sends its chunk to all others, and adds up what came in scratch from `scratch` on.
inline std::vector<Move> one_shot(std::uint32_t gpus, std::uint32_t chunk, std::uint32_t scratch, int channel = 0) {
    std::vector<Move> moves;
    for (std::uint32_t from = 0; from < gpus; ++from)
        for (std::uint32_t to = 0; to < gpus; ++to)
            if (from != to)
                moves.push_back(
                    [=](Program& p) { p.send(from, to, place('i', chunk), place('s', scratch + from), channel); });
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        for (std::uint32_t peer = 0; peer < gpus; ++peer)
            if (gpu != peer)
                moves.push_back([=](Program& p) { p.add(gpu, place('s', scratch + peer), place('i', chunk)); });
    return moves;
}

/// All send to a root, which adds up in scratch alone, then to its own, and sends the sum back.
inline std::vector<Move> by_root(std::uint32_t gpus, std::uint32_t chunk, std::uint32_t scratch, std::uint32_t root,
                                 int channel = 0) {
    std::vector<Move> moves;
    const std::uint32_t first = root == 0 ? 1 : 0;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        if (gpu != root)
            moves.push_back(
                [=](Program& p) { p.send(gpu, root, place('i', chunk), place('s', scratch + gpu), channel); });
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        if (gpu != root && gpu != first)
            moves.push_back([=](Program& p) { p.add(root, place('s', scratch + gpu), place('s', scratch + first)); });
    moves.push_back([=](Program& p) { p.add(root, place('s', scratch + first), place('i', chunk)); });
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        if (gpu != root)
            moves.push_back([=](Program& p) { p.send(root, gpu, place('i', chunk), place('i', chunk), channel); });
    return moves;
}

/// What a GPU had goes round a ring from scratch to scratch, and each adds it as it comes by.
inline std::vector<Move> round_a_ring(std::uint32_t gpus, std::uint32_t chunk, std::uint32_t scratch, int channel = 0) {
    std::vector<Move> moves;
    for (std::uint32_t gpu = 0; gpu < gpus; ++gpu)
        moves.push_back(
            [=](Program& p) { p.send(gpu, (gpu + 1) % gpus, place('i', chunk), place('s', scratch), channel); });
    for (std::uint32_t hop = 0; hop + 1 < gpus; ++hop)
        for (std::uint32_t gpu = 0; gpu < gpus; ++gpu) {
            moves.push_back([=](Program& p) { p.add(gpu, place('s', scratch + hop), place('i', chunk)); });
            if (hop + 2 < gpus)
                moves.push_back([=](Program& p) {
                    p.send(gpu, (gpu + 1) % gpus, place('s', scratch + hop), place('s', scratch + hop + 1), channel);
                });
        }
    return moves;
}

/// In islands of two: the second adds to the first, firsts go to the first of all, and back the same way.
inline std::vector<Move> in_islands(std::uint32_t gpus, std::uint32_t chunk, int channel = 0) {
    std::vector<Move> up, down;
    const std::string there = place('i', chunk);
    const auto link = [&](std::uint32_t low, std::uint32_t high) {
        up.push_back([=](Program& p) { p.send_and_add(high, low, there, there, channel); });
        down.insert(down.begin(), [=](Program& p) { p.send(low, high, there, there, channel); });
    };
    for (std::uint32_t first = 0; first + 1 < gpus; first += 2) link(first, first + 1);
    for (std::uint32_t first = 2; first < gpus; first += 2) link(0, first);
    up.insert(up.end(), down.begin(), down.end());
    return up;
}

inline std::string program_text(std::uint32_t gpus, std::uint32_t chunks, const std::vector<Move>& moves) {
    Program program(gpus);
    for (const Move& move : moves) move(program);
    return program.text(chunks);
}

/// A valid AllReduce of 2 to 8 GPUs and 1 to 4 chunks, each reduced in one of these ways on one of three channels, with
/// scratch of its own; their moves are mixed.
inline std::pair<std::uint32_t, std::string> random_program(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto gpus = static_cast<std::uint32_t>(2 + random() % 7),
               chunks = static_cast<std::uint32_t>(1 + random() % 4);
    std::vector<std::vector<Move>> of_chunk;
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
        const int channel = static_cast<int>(random() % 3);
        const std::uint32_t scratch = chunk * gpus;
        const std::uint64_t way = random() % 4;
        const auto root = static_cast<std::uint32_t>(random() % gpus);
        of_chunk.push_back(way == 0   ? one_shot(gpus, chunk, scratch, channel)
                           : way == 1 ? by_root(gpus, chunk, scratch, root, channel)
                           : way == 2 ? round_a_ring(gpus, chunk, scratch, channel)
                                      : in_islands(gpus, chunk, channel));
    }
    std::vector<Move> mixed;
    std::vector<std::size_t> next(chunks);
    for (std::size_t left = chunks; left > 0;) {
        const std::size_t chunk = random() % chunks;
        if (next[chunk] == of_chunk[chunk].size()) continue;
        mixed.push_back(of_chunk[chunk][next[chunk]++]);
        if (next[chunk] == of_chunk[chunk].size()) --left;
    }
    return {gpus, program_text(gpus, chunks, mixed)};
}

}   // namespace oscar::test
