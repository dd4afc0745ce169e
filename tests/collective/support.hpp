// Plans, ranks and values for tests of collectives.
#pragma once

#include <bit>
#include <memory>
#include <random>
#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/reference.hpp"

namespace oscar::test {

/// Two-sided geometric codes of `bits` bits, a third of them zero; [ranks][elements].
inline std::vector<std::vector<Symbol>> codes(std::uint32_t ranks, std::uint32_t elements, std::uint32_t bits,
                                              std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto limit = static_cast<Symbol>((1u << (bits - 1)) - 1);
    std::vector<std::vector<Symbol>> result(ranks, std::vector<Symbol>(elements));
    for (auto& rank : result)
        for (Symbol& code : rank) {
            const auto magnitude =
                std::min<Symbol>(limit, static_cast<Symbol>(std::countr_zero(random() | (1ULL << 62)) * 3 % 61));
            code = random() % 3 == 0 ? 0 : (random() & 1 ? magnitude : -magnitude);
        }
    return result;
}

/// Endpoints that have begun iteration `epoch`, with equal chunks unless `layout` says otherwise.
inline void begin(std::vector<RankState>& rank_states, const std::vector<std::vector<Symbol>>& values, const Plan& plan,
                  std::uint8_t epoch = 0, const ChunkLayout* layout = nullptr) {
    const std::uint32_t ranks = plan.schedule.ranks, chunks = plan.schedule.chunks;
    const ChunkCount count = chunks % ranks == 0 ? ChunkCount{ranks, chunks / ranks} : ChunkCount{chunks, 1};
    const ChunkLayout equal = make_layout(EqualParams{}, static_cast<std::uint32_t>(values.front().size()), count, {});
    const std::vector<Symbol> none(values.front().size(), additive_identity(plan.element_type));
    for (std::size_t r = 0; r < rank_states.size(); ++r)
        rank_states[r].begin(r < ranks ? values[r] : none, layout ? *layout : equal, epoch);
}

/// The bytes of a message, whose blocks their receiver has to find itself.
inline std::shared_ptr<const Encoded> bare(const Encoded& message) {
    return std::make_shared<const Encoded>(Encoded{message.bytes, {}});
}

inline std::vector<RankState> make_endpoints(const Plan& plan, const Codec& codec) {
    std::vector<RankState> rank_states;
    for (std::uint32_t r = 0; r < plan.schedule.participants(); ++r) rank_states.emplace_back(plan, codec);
    return rank_states;
}

}   // namespace oscar::test
