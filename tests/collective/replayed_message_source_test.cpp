#include "models/collective/endpoint/replayed_message_source.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "models/codec/message/size_only_codec.hpp"
#include "tests/collective/support.hpp"

namespace oscar::replayed_message_source_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Throws;

constexpr Framing small{4, 32, 8};

/// A reference run, and rank states that have begun the same iteration. Law of the tests: driving the states by the
/// record leaves what the reference left.
class Recorded {
public:
    explicit Recorded(const CodecChoice& kind, bool blocks = false) : Recorded(make_codec(kind, small), blocks) {}
    explicit Recorded(std::unique_ptr<Codec> codec, bool blocks = false)
        : codec_(std::move(codec)),
          plan_(make_schedule(RingParams{}, 4), ElementType::integer, 8),
          reference_ranks_(test::make_endpoints(plan_, *codec_)) {
        if (blocks)
            for (RankState& rank_state : reference_ranks_) rank_state.totals().count({16, 4});
        test::begin(reference_ranks_, values_, plan_, 0);
        run_reference(plan_.schedule, reference_ranks_);
        for (RankState& rank_state : reference_ranks_) rank_state.commit();
        rank_states_ = reference_ranks_;
        test::begin(reference_ranks_, values_, plan_, 1);
        test::begin(rank_states_, values_, plan_, 1);
        reference_ = run_reference(plan_.schedule, reference_ranks_, nullptr, ReceiverWork::take_symbols);
    }

    ReplayedMessageSource source() { return {plan_, rank_states_, *codec_, reference_}; }
    /// All steps in order, and what each of them brought.
    std::vector<MessageRecord> exchange(ReplayedMessageSource& source) const {
        std::vector<MessageRecord> sent;
        for (std::uint32_t i = 0; i < plan_.schedule.steps.size(); ++i)
            sent.push_back(source.receive(StepId{i}, source.send(StepId{i})));
        return sent;
    }
    void expect_as_reference() const {
        for (std::size_t r = 0; r < rank_states_.size(); ++r) {
            RankState own = rank_states_[r], other = reference_ranks_[r];
            EXPECT_TRUE(std::ranges::equal(own.values().all(), other.values().all())) << "rank " << r;
            EXPECT_EQ(
                own.totals().totals() ? own.totals().totals()->costs(elements) : std::vector<std::uint32_t>{},
                other.totals().totals() ? other.totals().totals()->costs(elements) : std::vector<std::uint32_t>{});
            own.commit();
            other.commit();
            EXPECT_EQ(own.tables().store().digest(), other.tables().store().digest()) << "rank " << r;
        }
    }

    static constexpr std::uint32_t elements = 832;   // blocks of 16 lie in one chunk each
    std::vector<std::vector<Symbol>> values_ = test::codes(4, elements, 8, 3);
    std::unique_ptr<Codec> codec_;
    Plan plan_;
    std::vector<RankState> reference_ranks_, rank_states_;
    Reference reference_;
};

TEST(ReplayedMessageSource, LeavesTheValuesTablesAndRecordsOfTheReferenceForEveryCodec) {
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        if constexpr (!std::same_as<P, Fp32Params>) {
            SCOPED_TRACE(kind.name);
            Recorded run{P{}};
            ReplayedMessageSource source = run.source();
            EXPECT_EQ(run.exchange(source), run.reference_.records);
            source.finish(serial_for);
            run.expect_as_reference();
        }
    });
}

TEST(ReplayedMessageSource, CountsWhatBlocksCostAsTheReferenceDoes) {
    Recorded run{AscParams{}, true};
    ReplayedMessageSource source = run.source();
    EXPECT_EQ(run.exchange(source), run.reference_.records);
    source.finish(serial_for);
    run.expect_as_reference();
}

TEST(ReplayedMessageSource, ForwardsWhatTheReferenceForwarded) {
    Recorded run{AscParams{}};
    const ReplayedMessageSource source = run.source();
    for (std::uint32_t i = 0; i < run.plan_.schedule.steps.size(); ++i)
        EXPECT_EQ(source.forwards(StepId{i}), run.reference_.forwarded[i]) << i;
}

TEST(ReplayedMessageSource, LeavesTheRanksAsTheyAreUntilItFinishes) {
    Recorded run{AscParams{}};
    ReplayedMessageSource source = run.source();
    run.exchange(source);
    for (std::size_t r = 0; r < 4; ++r)
        EXPECT_TRUE(std::ranges::equal(run.rank_states_[r].values().all(), run.values_[r]));
}

void expect_found(Recorded& run) {
    run.values_[2][7] += 1;
    test::begin(run.rank_states_, run.values_, run.plan_, 1);
    ReplayedMessageSource source = run.source();
    run.exchange(source);
    EXPECT_THAT([&] { source.finish(serial_for); },
                Throws<std::logic_error>(::testing::Property(&std::logic_error::what, HasSubstr("other bytes"))));
}

TEST(ReplayedMessageSource, FindsARankWhoseValuesAreNotThoseOfTheReference) {
    Recorded coded{AscParams{}};
    expect_found(coded);
    Recorded of_sizes_only{make_size_only_codec(make_codec(AscParams{}, small))};
    expect_found(of_sizes_only);
}

TEST(ReplayedMessageSource, DecodesTheBytesThatCame) {
    Recorded run{FixedPointParams{}};
    ReplayedMessageSource source = run.source();
    const auto sent = source.send(StepId{0});
    Encoded altered = *sent;
    altered.bytes.front() ^= std::byte{1};   // another value of the same width
    source.receive(StepId{0}, std::make_shared<const Encoded>(altered));
    source.finish(serial_for);
    const Step& step = run.plan_.schedule.steps.front();
    EXPECT_FALSE(std::ranges::equal(run.rank_states_[step.to.value].values().all(), run.values_[step.to.value]));
    EXPECT_NE(run.rank_states_[step.to.value]
                  .values()
                  .all()[run.rank_states_[0].values().layout().segments(step.chunk)[0].begin],
              run.values_[0][run.rank_states_[0].values().layout().segments(step.chunk)[0].begin] +
                  run.values_[step.to.value][run.rank_states_[0].values().layout().segments(step.chunk)[0].begin]);
}

TEST(ReplayedMessageSource, CannotSendAgainWhatTheReferenceDidNotRefuse) {
    Recorded run{AscParams{}};
    ReplayedMessageSource source = run.source();
    EXPECT_THROW(source.resend(StepId{0}), std::logic_error);
}

TEST(MadeMessage, IsNotEncodedAgainFromAnEqualSource) {
    Recorded run{AscParams{}};
    RankState& sender = run.rank_states_[run.plan_.schedule.steps.front().from.value];
    const auto symbols = sender.values().outgoing_symbols(StepId{0});
    const MadeMessage candidate{run.reference_.messages.front(), run.reference_.sources.front()};
    RankState twin = sender;
    EXPECT_EQ(twin.make(StepId{0}, symbols, candidate).message, candidate.message);
    EXPECT_NE(sender.make(StepId{0}, symbols, {candidate.message, candidate.source + 1}).message, candidate.message);
}

TEST(MadeMessage, HasAnotherSourceWithOtherSymbolsClassesOrTables) {
    Recorded run{AscParams{}};
    const std::uint32_t from = run.plan_.schedule.steps.front().from.value;
    const auto source_of = [](RankState rank_state) {
        return rank_state.make(StepId{0}, rank_state.values().outgoing_symbols(StepId{0}), {}).source;
    };
    const RankState& sender = run.rank_states_[from];
    EXPECT_EQ(source_of(sender), run.reference_.sources.front());
    RankState other_symbols = sender, other_classes = sender, other_tables = sender;
    std::vector<Symbol> values = run.values_[from];
    for (Symbol& value : values) value = -value;
    other_symbols.begin(values, sender.values().layout(), 1);
    EXPECT_NE(source_of(other_symbols), source_of(sender));
    other_classes.begin(run.values_[from], sender.values().layout(), 1,
                        std::vector<std::uint8_t>(Recorded::elements, 0));
    EXPECT_NE(source_of(other_classes), source_of(sender));
    other_tables.tables().reset();
    other_tables.begin(run.values_[from], sender.values().layout(), 1);
    EXPECT_NE(source_of(other_tables), source_of(sender));
}

}   // namespace
}   // namespace oscar::replayed_message_source_test
