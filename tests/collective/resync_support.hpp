// Rings whose ranks lose their tables, and what must hold once they are in step again.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "models/codec/message/split.hpp"
#include "tests/collective/support.hpp"

namespace oscar::test {

constexpr std::uint32_t resync_classes = 3;

/// Every codec whose tables are learnt at both ends, under every split that it can have: f(codec, classes are known).
template <class F>
void for_each_stepwise_codec(F&& f) {
    constexpr Framing small{4, 32, 8};
    const auto with_splits = [&](const CodecChoice& choice, const std::string& name) {
        for_each_kind(splits, [&]<class S>(const Kind<S>& split) {
            SCOPED_TRACE(name + ", split " + std::string(split.name));
            const auto codec = make_split_codec(S{}, make_codec(choice, small), small, resync_classes);
            f(*codec, !std::same_as<S, NoSplitParams>);
        });
    };
    with_splits(AscParams{}, "asc");
    with_splits(AscParams{.history = 0}, "asc, all history");
    with_splits(AscParams{.history = 64}, "asc, no history");
    with_splits(AscParams{.table_source = StepSource::rescaled}, "asc, rescaled");
    with_splits(AscParams{.table_source = StepSource::rescaled, .table_sharing = TableSharing::power_of_two},
                "asc, rescaled, by powers of two");
    with_splits(AscParams{.table_source = StepSource::global}, "asc, global");
    with_splits(AscParams{.table_sharing = TableSharing::power_of_two}, "asc, by powers of two");
    with_splits(AscParams{.adapt = Update::symbol}, "asc, adapting");
    with_splits(RansParams{}, "rans");
    f(*make_codec(AscParams{.layout = Layout::ranges}, small), false);   // whose search takes the host long
}

/// A ring that goes through iterations of its own values.
class Ring {
public:
    Ring(const Codec& codec, bool by_class, std::uint32_t ranks, std::uint32_t slices, std::uint32_t elements)
        : codec_(&codec),
          by_class_(by_class),
          elements_(elements),
          plan_(make_schedule(RingParams{Issue::lock_step, slices}, ranks), ElementType::integer, 8),
          count_{ranks, slices} {
        for (std::uint32_t r = 0; r < ranks; ++r)
            rank_states_.emplace_back(plan_, codec, by_class ? resync_classes : 1);
    }
    Ring(const Ring&) = delete;   // ranks hold its plan

    /// Begins with values and boundaries of `seed`.
    void begin(std::uint64_t seed) {
        values_ = codes(plan_.schedule.ranks, elements_, 8, seed);
        begin(values_, seed);
    }
    void begin(const std::vector<std::vector<Symbol>>& values, std::uint64_t seed) {
        values_ = values;
        const ChunkLayout layout =
            seed % 2 == 0 ? make_layout(EqualParams{}, elements_, count_, {})
                          : make_layout(RoundRobinParams{static_cast<std::uint32_t>(7 + seed)}, elements_, count_, {});
        std::vector<std::uint8_t> classes;
        for (std::uint32_t i = 0; by_class_ && i < elements_; ++i)
            classes.push_back(static_cast<std::uint8_t>((i / 16 + seed) % resync_classes));
        for (std::size_t r = 0; r < rank_states_.size(); ++r)
            rank_states_[r].begin(values_[r], layout, static_cast<std::uint8_t>(seed), classes);
    }
    /// All steps; every rank must then hold the exact sum.
    Resent run() {
        const Resent resent = run_reference(plan_.schedule, rank_states_).resent;
        expect_sum();
        return resent;
    }
    void expect_sum() const {
        const auto sum = exact_sum(values_);
        for (const RankState& rank_state : rank_states_)
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), sum));
    }
    /// Ranks whose bit is set commit, the others roll back.
    void end(std::uint32_t committing = 0xFFFFFFFF) {
        for (std::size_t r = 0; r < rank_states_.size(); ++r)
            if (committing >> r & 1) rank_states_[r].commit();
            else rank_states_[r].tables().rollback();
    }
    Resent iterate(std::uint64_t seed) {
        begin(seed);
        const Resent resent = run();
        end();
        return resent;
    }
    /// Ranks whose bit is set lose what they have learnt.
    void lose(std::uint32_t ranks) {
        for (std::size_t r = 0; r < rank_states_.size(); ++r)
            if (ranks >> r & 1) rank_states_[r].tables().reset();
    }
    /// What both ends of every link hold, and all ranks of the final sums.
    void expect_equal_tables() const {
        const auto equal = [](const Table* a, const Table* b) { return a && b ? *a == *b : a == b; };
        for (std::uint32_t i = 0; i < plan_.schedule.steps.size(); ++i) {
            const Step& step = plan_.schedule.steps[i];
            EXPECT_TRUE(equal(rank_states_[step.from.value].tables().of(StepId{i}),
                              rank_states_[step.to.value].tables().of(StepId{i})))
                << "step " << i;
        }
        for (const RankState& rank_state : rank_states_)
            EXPECT_TRUE(std::ranges::equal(rank_state.tables().of_final_sums_by_class(),
                                           rank_states_[0].tables().of_final_sums_by_class(), equal));
    }

    std::vector<RankState>& rank_states() { return rank_states_; }
    const std::vector<RankState>& rank_states() const { return rank_states_; }
    const Plan& plan() const { return plan_; }
    const Codec& codec() const { return *codec_; }

private:
    const Codec* codec_;
    bool by_class_;
    std::uint32_t elements_;
    Plan plan_;
    ChunkCount count_;
    std::vector<RankState> rank_states_;
    std::vector<std::vector<Symbol>> values_;
};

}   // namespace oscar::test
