// Splitting: a class for each element of the bucket, predicted from the reduced integers of earlier iterations. Every
// rank holds those, so every rank computes the same classes and nothing is sent.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/core/kinds.hpp"
#include "models/partition/chunks.hpp"

namespace oscar {

/// The most classes that a kind may make.
inline constexpr std::uint32_t max_classes = 64;

/// Condition under which an element is a probable zero (OSCAR, HPCA 2026, abstract: zeros are consistently distributed
/// over batches).
enum class ZeroMemory : std::uint8_t { last, either, counter };
constexpr auto choices(ZeroMemory) {
    return std::array{
        Choice{"last", ZeroMemory::last, "the sum of t-1 was zero"},
        Choice{"either", ZeroMemory::either, "the sums of t-1 and t-2 were both zero (OR of the last two masks)"},
        Choice{"counter", ZeroMemory::counter,
               "a saturating two-bit counter, up at each non-zero sum and down at each zero, is below 2"}};
}

/// Class 0: probable zeros; class 1: the others.
struct ZeroClassesParams {
    ZeroMemory memory = ZeroMemory::last;
    static constexpr auto fields() {
        return Entries{
            field("memory", &ZeroClassesParams::memory, "condition under which an element is a predicted zero")};
    }
};
/// Duration of the memory of magnitudes: m(t) = m(t-1) + (|sum(t)| - m(t-1)) / 2^history; m of the first sum is the
/// sum.
inline constexpr const char* history_meaning =
    "of the remembered magnitudes 1 - 2^-history stays at each iteration; 0: only that of t-1 counts";

/// Class = bits of the remembered magnitude of the element's own sums, the last class open-ended.
struct MagnitudeClassesParams {
    std::uint32_t classes = 8, history = 0;
    static constexpr auto fields() {
        return Entries{field("classes", &MagnitudeClassesParams::classes, "number of classes", 2u, 32u),
                       field("history", &MagnitudeClassesParams::history, history_meaning, 0u, 8u)};
    }
};
/// Blocks of neighbours in equally populated classes of their mean remembered magnitude.
struct BlockClassesParams {
    std::uint32_t classes = 8, block = 64, history = 0;
    static constexpr auto fields() {
        return Entries{field("classes", &BlockClassesParams::classes, "number of classes", 2u, max_classes),
                       field("block", &BlockClassesParams::block, "number of neighbouring elements that share a class",
                             1u, 65536u),
                       field("history", &BlockClassesParams::history, history_meaning, 0u, 8u)};
    }
};
/// Equally populated classes of a prediction that mixes the element's own remembered magnitude with that of its block.
struct MixedClassesParams {
    std::uint32_t classes = 8, block = 8, own_weight = 8, history = 1;
    static constexpr auto fields() {
        return Entries{
            field("classes", &MixedClassesParams::classes, "number of classes", 2u, max_classes),
            field("block", &MixedClassesParams::block, "number of neighbouring elements in the mean", 1u, 65536u),
            field("own_weight", &MixedClassesParams::own_weight,
                  "weight of the own magnitude in quarters; the mean of the block has weight 1", 0u, 64u),
            field("history", &MixedClassesParams::history, history_meaning, 0u, 8u)};
    }
};
/// A class per tensor; tensors beyond the most classes share the last.
struct LayerClassesParams {
    static constexpr auto fields() { return Entries{}; }
};

/// The first is the default: its mask of a bucket of 25 MiB fits in the default engine.mask_sram, those with an entry
/// per value do not.
inline constexpr auto classifiers = Entries{
    kind<BlockClassesParams>("block", "mean magnitude of the element's block in earlier sums"),
    kind<ZeroClassesParams>("zero", "predicted zeros and predicted non-zeros, by earlier sums"),
    kind<MagnitudeClassesParams>("magnitude", "magnitude of the element in earlier sums, in bits"),
    kind<MixedClassesParams>("mixed", "magnitude of the element and of its block in earlier sums"),
    kind<LayerClassesParams>("layer", "one class per tensor"),
};
using ClassifierKind = OneOf<classifiers>;

/// The most classes that elements can be in. `tensors` tile the bucket.
std::uint32_t class_count(const ClassifierKind& kind, std::span<const Segment> tensors);

/// Neighbours that always share a class, so that one entry of a mask serves them all; 0 where the position tells the
/// class and there is no mask.
std::uint32_t values_per_class(const ClassifierKind& kind);

/// True if more is kept of an element from iteration to iteration than its last sum.
bool remembers(const ClassifierKind& kind);

/// One rank's memory of the sums, and the classes that follow from it. Law: classifiers of equal kinds that observed
/// the same sums have equal classes.
class Classifier {
public:
    Classifier(const ClassifierKind& kind, std::vector<Segment> tensors) : kind_(kind), tensors_(std::move(tensors)) {}

    /// Learns the reduced integers of an iteration and predicts the classes of the next.
    void observe(std::span<const std::int32_t> sums);
    void reset() { state_.reset(); }   ///< forgets all sums; there are no classes then
    /// A class per element for the coming iteration; empty without history.
    std::span<const std::uint8_t> classes() const { return state_ ? state_->classes : std::span<const std::uint8_t>{}; }

    friend void observe_each(std::span<Classifier* const> of_ranks,
                             std::span<const std::span<const std::int32_t>> sums);

private:
    struct State {
        std::vector<std::uint64_t> memory;   ///< per element: the last mask, the two-bit counter, or 256 * magnitude
        std::vector<std::uint8_t> classes;
    };
    ClassifierKind kind_;
    std::vector<Segment> tensors_;
    std::shared_ptr<const State> state_;   ///< null without history
};

/// Has classifiers of one kind observe the sums of their ranks. Classifiers that knew and saw the same share their
/// memory from then on, so that memory and time do not grow with their number.
void observe_each(std::span<Classifier* const> of_ranks, std::span<const std::span<const std::int32_t>> sums);

}   // namespace oscar
