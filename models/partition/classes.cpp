#include "models/partition/classes.hpp"

#include <algorithm>
#include <bit>

namespace oscar {
namespace {

using Classes = std::vector<std::uint8_t>;
using Memory = std::vector<std::uint64_t>;
using Sums = std::span<const std::int32_t>;

std::uint32_t magnitude(std::int32_t value) {
    return value < 0 ? 0u - static_cast<std::uint32_t>(value) : static_cast<std::uint32_t>(value);
}

/// Class of each score, so that each class has about equally many elements. Equal scores are in one class, for the
/// thresholds are scores themselves.
Classes by_population(std::span<const std::uint64_t> scores, std::uint32_t classes) {
    std::vector<std::uint64_t> sorted(scores.begin(), scores.end());
    std::ranges::sort(sorted);
    std::vector<std::uint64_t> thresholds;   // the least score of each class but the first
    for (std::uint64_t c = 1; c < classes; ++c) thresholds.push_back(sorted[c * sorted.size() / classes]);
    Classes result(scores.size());
    std::ranges::transform(scores, result.begin(), [&](std::uint64_t score) {
        return static_cast<std::uint8_t>(std::ranges::upper_bound(thresholds, score) - thresholds.begin());
    });
    return result;
}

/// Moves the remembered magnitudes, in 1/256, towards those of the sums.
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

std::uint32_t class_count(const ClassifierKind& kind, std::span<const Segment> tensors) {
    return std::visit([&](const auto& params) { return count_of(params, tensors.size()); }, kind.params);
}

void Classifier::observe(std::span<const std::int32_t> sums) {
    classes_ = std::visit([&](const auto& params) { return predict(params, sums, tensors_, memory_); }, kind_.params);
}

void Classifier::reset() {
    memory_.clear();
    classes_.clear();
}

}   // namespace oscar
