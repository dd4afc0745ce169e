// Exchange: the machine has the messages of the reference, and every way of not doing what it did is seen.
#include "models/exchange/exchange.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "tests/collective/support.hpp"

namespace oscar::exchange_test {
namespace {

constexpr std::uint32_t rank_count = 4, elements = 832;
constexpr Framing small{4, 32, 8};

/// Two sets of ranks that have learnt from one iteration and begun the next, and an exchange between them.
struct Prepared {
    std::unique_ptr<Codec> codec;
    Plan plan;
    std::vector<std::vector<Symbol>> values = test::codes(rank_count, elements, 8, 3);
    std::vector<RankState> reference, machine;

    explicit Prepared(const CodecChoice& choice = AscParams{}, const Collective& collective = RingParams{})
        : codec(make_codec(choice, small)),
          plan(make_schedule(collective, rank_count), ElementType::integer, 8, operation_of(collective)),
          reference(test::make_endpoints(plan, *codec)) {
        test::begin(reference, values, plan, 0);
        Exchange(plan, *codec, {reference, {}}).run_reference();
        commit(reference);
        machine = reference;
        begin();
    }
    void begin() {
        test::begin(reference, values, plan, 1);
        test::begin(machine, values, plan, 1);
    }
    static void commit(std::vector<RankState>& ranks) {
        agree_on_tables(ranks);
        for (RankState& rank : ranks) rank.commit();
    }
    Exchange exchange(Damage damage = Damage::none) { return {plan, *codec, {reference, machine}, damage}; }
};

/// A machine without time: every step in the order of the schedule. `sent` is told of each message, and may replace it.
struct Carrier {
    const Plan& plan;
    std::function<std::shared_ptr<const Encoded>(StepId, std::shared_ptr<const Encoded>)> sent =
        [](StepId, std::shared_ptr<const Encoded> message) { return message; };

    Outcome operator()(MessageSource& source) const {
        Outcome outcome;
        for (StepId step; step.value < plan.schedule.steps.size(); ++step.value)
            outcome.records.push_back(source.receive(step, sent(step, source.send(step))));
        return outcome;
    }
};

TEST(Exchange, HasTheMessagesOfItsReferenceCarriedByEveryCollectiveAndEndsAsTheReference) {
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(kind.name));
        Prepared ranks(AscParams{}, P{});
        Exchange exchange = ranks.exchange();
        exchange.run_reference();
        const Outcome outcome = exchange.run(
            Carrier{ranks.plan, [&](StepId step, auto message) {
                        EXPECT_EQ(message, exchange.message(step).message);   // the same object: nobody encoded again
                        return message;
                    }});
        EXPECT_TRUE(exchange.matches_reference(outcome));
        Prepared::commit(ranks.reference);
        Prepared::commit(ranks.machine);
        EXPECT_TRUE(exchange.matches_reference(outcome));
    });
}

TEST(Exchange, WithoutReferenceHasItsRanksMakeTheMessages) {
    Prepared ranks, other;
    Exchange alone(ranks.plan, *ranks.codec, {{}, ranks.machine}), known = other.exchange();
    known.run_reference();
    const Outcome outcome = alone.run(Carrier{ranks.plan});
    EXPECT_TRUE(outcome.records == known.reference().records);
    EXPECT_FALSE(known.matches_reference(outcome));   // its own machine has not run
    for (const RankState& rank : ranks.machine)
        EXPECT_TRUE(std::ranges::equal(rank.values().all(), exact_sum(ranks.values)));
}

TEST(Exchange, ThatMayBeDamagedHasItsRanksEncodeAgain) {
    for (const Damage damage : {Damage::noticed, Damage::unnoticed}) {
        Prepared ranks;
        Exchange exchange = ranks.exchange(damage);
        exchange.run_reference();
        const Outcome outcome = exchange.run(Carrier{ranks.plan, [&](StepId step, auto message) {
                                                         EXPECT_NE(message, exchange.message(step).message);
                                                         return message;
                                                     }});
        EXPECT_TRUE(exchange.matches_reference(outcome));
    }
}

TEST(Exchange, RefusesRanksThatWouldHaveSentOtherBytesThanTheReference) {
    Prepared ranks;
    auto others = ranks.values;
    ++others[2][5];
    test::begin(ranks.machine, others, ranks.plan, 1);
    Exchange exchange = ranks.exchange();
    exchange.run_reference();
    EXPECT_THROW(exchange.run(Carrier{ranks.plan}), std::logic_error);
}

TEST(Exchange, DoesNotMatchWhereOneValueOneTableOrOneRecordIsAnother) {
    Prepared ranks;
    Exchange exchange = ranks.exchange();
    exchange.run_reference();
    const Outcome outcome = exchange.run(Carrier{ranks.plan});
    ASSERT_TRUE(exchange.matches_reference(outcome));

    Outcome longer = outcome;
    MessageRecord record = longer.records[7];
    ++record.bytes;
    longer.records.set(7, record);
    EXPECT_FALSE(exchange.matches_reference(longer));

    Outcome resent = outcome;
    resent.resent.messages = 1;
    EXPECT_FALSE(exchange.matches_reference(resent));

    const RankState right = ranks.machine[3];
    ranks.machine[3].tables().reset();
    EXPECT_FALSE(exchange.matches_reference(outcome));
    ranks.machine[3] = right;
    EXPECT_TRUE(exchange.matches_reference(outcome));

    Prepared other;
    ++other.values[2][5];
    other.begin();
    Exchange of_others = other.exchange();
    of_others.run_reference();
    of_others.run(Carrier{other.plan});
    ranks.machine[3] = other.machine[3];
    EXPECT_FALSE(exchange.matches_reference(outcome));
}

TEST(Exchange, WhoseDamageMayPassUnnoticedMatchesByItsValuesAlone) {
    for (const Damage damage : {Damage::noticed, Damage::unnoticed}) {
        Prepared ranks;
        Exchange exchange = ranks.exchange(damage);
        exchange.run_reference();
        Outcome outcome = exchange.run(Carrier{ranks.plan});
        outcome.resent.messages = 1;
        EXPECT_EQ(exchange.matches_reference(outcome), damage == Damage::unnoticed);
    }
}

TEST(Exchange, ThatIsNotSimulatedLearnsWhatOneThatIsLearns) {
    Prepared simulated, untimed;
    Exchange exchange = simulated.exchange();
    exchange.run_reference();
    exchange.run(Carrier{simulated.plan});
    Exchange(untimed.plan, *untimed.codec, {untimed.reference, {}}).run_reference();
    Prepared::commit(simulated.machine);
    Prepared::commit(untimed.reference);
    for (std::uint32_t r = 0; r < rank_count; ++r)
        EXPECT_EQ(simulated.machine[r].tables().store().digest(), untimed.reference[r].tables().store().digest());
}

TEST(Damage, IsThatOfFlippedBitsAloneAndUnnoticedWithoutCheck) {
    EXPECT_EQ(damage_of(std::nullopt), Damage::none);
    EXPECT_EQ(damage_of(FaultParams{.drop = 0.5, .duplicate = 0.5, .reorder = 0.5, .check = PacketCheck::none}),
              Damage::none);
    EXPECT_EQ(damage_of(FaultParams{.flip = 1e-9}), Damage::noticed);
    EXPECT_EQ(damage_of(FaultParams{.flip = 1e-9, .check = PacketCheck::none}), Damage::unnoticed);
}

}   // namespace
}   // namespace oscar::exchange_test
