#include "models/partition/classes.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "models/core/wide_loops.hpp"

namespace oscar {
namespace {

using Classes = std::vector<std::uint8_t>;
using Memory = std::vector<std::uint64_t>;
using Sums = std::span<const std::int32_t>;

/// At once where both are the same memory.
bool equal(Sums a, Sums b) { return (a.data() == b.data() && a.size() == b.size()) || std::ranges::equal(a, b); }

std::uint32_t magnitude(std::int32_t value) {
    return value < 0 ? 0u - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
}

using Scores = std::span<const std::uint64_t>;

/// The lists [u] of the scores whose bits from `lower_bits` on are u, for some u.
using ScoresByUpper = std::map<std::uint64_t, std::vector<std::uint64_t>>;

void fill(ScoresByUpper& lists, Scores scores, std::size_t lower_bits, std::size_t uppers) {
    std::vector<std::vector<std::uint64_t>*> list_of(uppers);
    for (auto& [upper, list] : lists) list_of[upper] = &list;
    for (const std::uint64_t score : scores)
        if (auto* list = list_of[score >> lower_bits]) list->push_back(score);
}

/// What would stand at `places` if the scores were sorted: the upper bits are found by counting all scores,
/// and the others among the scores that share them.
std::vector<std::uint64_t> at_places(Scores scores, std::span<const std::size_t> places) {
    std::uint64_t all_bits = 0;
    for (const std::uint64_t score : scores) all_bits |= score;
    const auto bits = static_cast<std::size_t>(std::bit_width(all_bits));
    const std::size_t upper_bits =
        std::min<std::size_t>({bits, 16, static_cast<std::size_t>(std::bit_width(scores.size()))});
    std::vector<std::size_t> counts(std::size_t{1} << upper_bits);
    for (const std::uint64_t score : scores) ++counts[score >> (bits - upper_bits)];

    ScoresByUpper lists;
    std::vector<std::pair<std::uint64_t, std::size_t>> found;   // upper bits, and the place among those that share them
    found.reserve(places.size());
    for (std::size_t place : places) {
        std::uint64_t upper = 0;
        for (; place >= counts[upper]; ++upper) place -= counts[upper];
        found.emplace_back(upper, place);
        lists[upper].reserve(counts[upper]);
    }
    fill(lists, scores, bits - upper_bits, counts.size());
    std::vector<std::uint64_t> result;
    result.reserve(found.size());
    for (const auto& [upper, place] : found) {
        const auto nth = lists[upper].begin() + static_cast<std::ptrdiff_t>(place);
        std::ranges::nth_element(lists[upper], nth);
        result.push_back(*nth);
    }
    return result;
}

/// Class of each score, so that each class has about equally many elements. Equal scores are in one class, for the
/// thresholds are scores themselves.
Classes by_population(const std::vector<std::uint64_t>& scores, std::uint32_t classes) {
    std::vector<std::size_t> places;   // of the least score of each class but the first
    for (std::uint64_t c = 1; c < classes; ++c) places.push_back(c * scores.size() / classes);
    const std::vector<std::uint64_t> thresholds = at_places(scores, places);
    Classes result(scores.size());
    constexpr std::size_t tile = 4096;   // stays in the first cache
    in_wide_loops([&]() OSCAR_INLINE {
        for (std::size_t begin = 0; begin < result.size(); begin += tile)
            for (const std::uint64_t threshold : thresholds)
                for (std::size_t i = begin; i < std::min(begin + tile, result.size()); ++i)
                    result[i] = static_cast<std::uint8_t>(result[i] + (scores[i] >= threshold));
    });
    return result;
}

/// Moves the remembered magnitudes, in 1/256, towards the magnitudes of the sums.
void remember(Memory& memory, Sums sums, std::uint32_t history) {
    const bool first = memory.empty();
    memory.resize(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::uint64_t now = std::uint64_t{256} * magnitude(sums[i]);
        memory[i] = first ? now : memory[i] - (memory[i] >> history) + (now >> history);
    }
}

/// Calls f(begin, end, mean) for each block.
template <class F>
void for_each_block(const Memory& magnitudes, std::uint32_t block, F&& f) {
    for (std::size_t begin = 0; begin < magnitudes.size(); begin += block) {
        const std::size_t end = std::min<std::size_t>(magnitudes.size(), begin + block);
        std::uint64_t total = 0;
        for (std::size_t i = begin; i < end; ++i) total += magnitudes[i];
        f(begin, end, total / (end - begin));
    }
}

/// What to remember of an element after a sum: whether it was non-zero, or the counter, which starts one step from its
/// threshold on the side of the first sum.
std::uint8_t remembered(ZeroMemory kind, bool first, std::uint8_t before, std::uint8_t now) {
    if (kind != ZeroMemory::counter) return now;
    if (first) return static_cast<std::uint8_t>(1 + now);
    return static_cast<std::uint8_t>(std::clamp(before + (now ? 1 : -1), 0, 3));
}

/// 1: probably not zero.
std::uint8_t zero_class(ZeroMemory kind, std::uint8_t before, std::uint8_t after) {
    if (kind == ZeroMemory::counter) return after >= 2;
    return kind == ZeroMemory::either ? before | after : after;
}

Classes predict(const ZeroClassesParams& params, Sums sums, std::span<const Segment>, Memory& memory) {
    const bool first = memory.empty();
    memory.resize(sums.size());
    Classes result(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const auto before = static_cast<std::uint8_t>(memory[i]);
        const std::uint8_t after = remembered(params.memory, first, before, sums[i] != 0);
        memory[i] = after;
        result[i] = zero_class(params.memory, before, after);
    }
    return result;
}

Classes predict(const MagnitudeClassesParams& params, Sums sums, std::span<const Segment>, Memory& memory) {
    remember(memory, sums, params.history);
    Classes result(sums.size());
    std::ranges::transform(memory, result.begin(), [&](std::uint64_t m) {
        return static_cast<std::uint8_t>(
            std::min<std::uint64_t>(params.classes - 1, static_cast<std::uint64_t>(std::bit_width(m / 256))));
    });
    return result;
}

Classes predict(const BlockClassesParams& params, Sums sums, std::span<const Segment>, Memory& memory) {
    remember(memory, sums, params.history);
    std::vector<std::uint64_t> scores(sums.size());
    for_each_block(memory, params.block, [&](std::size_t begin, std::size_t end, std::uint64_t mean) {
        std::fill(scores.begin() + static_cast<std::ptrdiff_t>(begin),
                  scores.begin() + static_cast<std::ptrdiff_t>(end), mean);
    });
    return by_population(scores, params.classes);
}

Classes predict(const MixedClassesParams& params, Sums sums, std::span<const Segment>, Memory& memory) {
    remember(memory, sums, params.history);
    std::vector<std::uint64_t> scores(sums.size());
    for_each_block(memory, params.block, [&](std::size_t begin, std::size_t end, std::uint64_t mean) {
        for (std::size_t i = begin; i < end; ++i) scores[i] = mean + params.own_weight * memory[i] / 4;
    });
    return by_population(scores, params.classes);
}

Classes predict(const LayerClassesParams&, Sums sums, std::span<const Segment> tensors, Memory&) {
    Classes result(sums.size());
    for (std::size_t t = 0; t < tensors.size(); ++t)
        std::fill(result.begin() + tensors[t].begin, result.begin() + tensors[t].end,
                  static_cast<std::uint8_t>(std::min<std::size_t>(t, max_classes - 1)));
    return result;
}

std::uint32_t count_of(const ZeroClassesParams&, std::size_t) { return 2; }
std::uint32_t count_of(const LayerClassesParams&, std::size_t tensors) {
    return static_cast<std::uint32_t>(std::clamp<std::size_t>(tensors, 1, max_classes));
}
template <class P>
std::uint32_t count_of(const P& params, std::size_t) {
    return params.classes;
}

}   // namespace

std::uint32_t values_per_class(const ClassifierKind& kind) {
    if (const auto* block = std::get_if<BlockClassesParams>(&kind.params)) return block->block;
    return std::holds_alternative<LayerClassesParams>(kind.params) ? 0 : 1;
}

bool remembers(const ClassifierKind& kind) {
    return std::visit(
        []<class P>(const P& params) {
            if constexpr (requires { params.history; }) return params.history > 0;
            else if constexpr (requires { params.memory; }) return params.memory != ZeroMemory::last;
            else return false;
        },
        kind.params);
}

std::uint32_t class_count(const ClassifierKind& kind, std::span<const Segment> tensors) {
    return std::visit([&](const auto& params) { return count_of(params, tensors.size()); }, kind.params);
}

void Classifier::observe(std::span<const std::int32_t> sums) {
    auto next = std::make_shared<State>();
    if (state_) next->memory = state_->memory;
    next->classes =
        std::visit([&](const auto& params) { return predict(params, sums, tensors_, next->memory); }, kind_.params);
    state_ = std::move(next);
}

void observe_each(std::span<Classifier* const> of_ranks, std::span<const Sums> sums) {
    std::vector<std::shared_ptr<const Classifier::State>> before;
    for (std::size_t r = 0; r < of_ranks.size(); ++r) {
        before.push_back(of_ranks[r]->state_);
        std::size_t like = 0;   // the first that knew the same and saw the same
        while (like < r && (before[like] != before[r] || !equal(sums[like], sums[r]))) ++like;
        if (like < r) of_ranks[r]->state_ = of_ranks[like]->state_;
        else of_ranks[r]->observe(sums[r]);
    }
}

}   // namespace oscar
