#include "sim/run/iteration/held_values.hpp"

#include <algorithm>
#include <cmath>

namespace oscar {

HeldValues::HeldValues(const Plan& plan, std::uint32_t ranks, std::span<const RankState> rank_states,
                       const IterationCodes& codes)
    : plan_(plan), ranks_(ranks), rank_states_(rank_states), codes_(codes) {
    if (!sums_up(plan.operation)) return;
    if (!of_integers()) floats_ = summed();
    sum_ = of_integers() ? std::span<const Symbol>(codes.sum) : floats_;
}

/// Each chunk from the first rank that is to hold it.
std::vector<Symbol> HeldValues::summed() const {
    std::vector<Symbol> sum(rank_states_.front().values().all().size());
    for (std::uint32_t c = 0; c < plan_.schedule.chunks; ++c) {
        Rank rank{0};
        while (postcondition(plan_.operation, ranks_, rank, ChunkId{c}, plan_.schedule.group).content !=
               Postcondition::Content::sum)
            ++rank.value;
        const auto values = rank_states_[rank.value].values().all();
        layout().for_each(ChunkId{c}, [&](std::uint32_t i, std::uint32_t) { sum[i] = values[i]; });
    }
    return sum;
}

std::vector<float> HeldValues::reduced() const {
    if (sum_.empty() || of_integers()) return sum_.empty() ? std::vector<float>{} : codes_.reduced;
    std::vector<float> reduced(sum_.size());
    std::ranges::transform(sum_, reduced.begin(), [&](Symbol v) { return value_of(plan_.element_type, v); });
    return reduced;
}

std::optional<Fidelity> HeldValues::fidelity() const {
    if (!sums_up(plan_.operation)) return std::nullopt;
    if (of_integers()) return codes_.fidelity;
    const std::vector<std::span<const float>> gradients(codes_.gradients.begin(), codes_.gradients.end());
    return oscar::fidelity(reduced(), gradients);
}

/// Where ranks add up for themselves, each in an order of its own, sums of floats differ by rounding. Of n values, a
/// sum is off by less than n roundings of the sum of their magnitudes, or of the least value where words have one.
bool HeldValues::agree_but_for_rounding(std::span<const Symbol> values, Segment segment) const {
    const auto [relative, absolute] = rounding_error_of(plan_.element_type);
    for (std::uint32_t i = segment.begin; i < segment.end; ++i) {
        if (values[i] == sum_[i]) continue;
        double magnitudes = 0;
        for (const auto& gradient : codes_.gradients) magnitudes += std::abs(double{gradient[i]});
        const double apart =
            std::abs(double{value_of(plan_.element_type, values[i])} - double{value_of(plan_.element_type, sum_[i])});
        if (!(apart <= 2 * (ranks_ + 1) * (relative * magnitudes + absolute))) return false;
    }
    return true;
}

bool HeldValues::meet_postcondition(Rank rank) const {
    const auto values = rank_states_[rank.value].values().all();
    for (ChunkId chunk; chunk.value < plan_.schedule.chunks; ++chunk.value) {
        const Postcondition kept = postcondition(plan_.operation, ranks_, rank, chunk, plan_.schedule.group);
        if (kept.content == Postcondition::Content::anything) continue;
        const auto kept_in = [&](Segment segment) {
            const auto part = [&](auto all) { return all.subspan(segment.begin, segment.end - segment.begin); };
            if (kept.content == Postcondition::Content::sum && plan_.schedule.scratch && !of_integers())
                return agree_but_for_rounding(values, segment);
            if (kept.content == Postcondition::Content::sum) return std::ranges::equal(part(values), part(sum_));
            const std::uint32_t of = kept.of.value;
            if (of_integers()) return std::ranges::equal(part(values), part(std::span(codes_.codes[of])));
            return std::ranges::equal(part(values),
                                      words_of(plan_.element_type, part(std::span(codes_.gradients[of]))));
        };
        if (!std::ranges::all_of(layout().segments(chunk), kept_in)) return false;
    }
    return true;
}

bool HeldValues::are_correct(const ParallelFor& parallel) const {
    std::vector<std::uint8_t> right(rank_states_.size());
    parallel(rank_states_.size(), [&](std::size_t r) {
        right[r] =
            meet_postcondition(Rank{static_cast<std::uint32_t>(r)}) && rank_states_[r].values().layout() == layout();
    });
    return std::ranges::all_of(right, [](std::uint8_t r) { return r != 0; });
}

}   // namespace oscar
