// Table schemes that no receiver can follow: each end makes its table of something that the other does not have, and
// the receiver must notice. A scheme is what each end learnt in iteration t-1. Source: docs/tables.md.
#include <gtest/gtest.h>

#include "models/codec/kinds/codecs.hpp"
#include "models/codec/learning/table_store.hpp"
#include "tests/codec/support.hpp"

namespace oscar::undecodable_schemes_test {
namespace {

using Symbols = std::vector<Symbol>;

const Context context{.width = 9};
const TableKey key{.link = 1, .timestep = {1}};

/// Two ranks of a link: each has its own gradient; what travels is a sum of gradients of the sender and those before.
struct TwoEnds {
    std::unique_ptr<Codec> codec = make_codec(AscParams{}, Framing{});
    TableStore sender{*codec}, receiver{*codec};
    Symbols own_of_sender = make_symbols("geometric", 3000, 8, 1),
            own_of_receiver = make_symbols("geometric", 3000, 8, 2);
    Symbols carried = sum(own_of_sender, make_symbols("geometric", 3000, 8, 3));

    static Symbols sum(Symbols a, const Symbols& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
    }
    /// After these histories, whether the receiver refuses what the sender codes, for the tables they are.
    bool mismatch(const Symbols& learnt_by_sender, const Symbols& learnt_by_receiver) {
        sender.learn(key, learnt_by_sender, {}, context.width);
        receiver.learn(key, learnt_by_receiver, {}, context.width);
        sender.commit();
        receiver.commit();
        return mismatch(*sender.find(key), *receiver.find(key));
    }
    bool mismatch(const Table& at_sender, const Table& at_receiver) const {
        const auto bytes = codec->encode(carried, context, &at_sender).bytes;
        Symbols out(carried.size());
        try {
            codec->decode(bytes, context, &at_receiver, out);
        } catch (const TableMismatch&) {
            return true;
        }
        EXPECT_EQ(out, carried);
        return false;
    }
};

TEST(UndecodableSchemes, AreToldFromT1WhereBothLearnWhatTravelled) {
    TwoEnds ends;
    EXPECT_FALSE(ends.mismatch(ends.carried, ends.carried));
}

TEST(UndecodableSchemes, T5TheSendersOwnGradient) {
    TwoEnds ends;
    EXPECT_TRUE(ends.mismatch(ends.own_of_sender, ends.carried));
}

TEST(UndecodableSchemes, T6TheMessageAboutToBeSent) {
    TwoEnds ends;
    const Symbols before = make_symbols("geometric", 3000, 8, 4);   // what travelled in t-1, the last that both know
    EXPECT_TRUE(ends.mismatch(ends.carried, before));
}

TEST(UndecodableSchemes, T7TheReceiversOwnGradient) {
    TwoEnds ends;
    EXPECT_TRUE(ends.mismatch(ends.carried, ends.own_of_receiver));
}

TEST(UndecodableSchemes, T8EveryLinkOfATimestepPooledWithoutAnExchange) {
    // A rank sees the links that end or begin at it: 0->1 and 1->2 at the sender of the second, 1->2 and 2->3 at its
    // receiver.
    TwoEnds ends;
    const Symbols link01 = make_symbols("geometric", 3000, 8, 5), link23 = make_symbols("geometric", 3000, 8, 6);
    ends.sender.learn(key, link01, {}, context.width);
    ends.receiver.learn(key, link23, {}, context.width);
    EXPECT_TRUE(ends.mismatch(ends.carried, ends.carried));
}

TEST(UndecodableSchemes, T8IsDecodableOnceTheCountsOfAllLinksAreExchanged) {
    TwoEnds ends;
    const Symbols link01 = make_symbols("geometric", 3000, 8, 5), link23 = make_symbols("geometric", 3000, 8, 6);
    for (TableStore* store : {&ends.sender, &ends.receiver})
        for (const Symbols* link : {&link01, &link23}) store->learn(key, *link, {}, context.width);
    EXPECT_FALSE(ends.mismatch(ends.carried, ends.carried));
}

TEST(UndecodableSchemes, T9SamplesThatEachEndDrawsAlone) {
    TwoEnds ends;
    const auto sampled = [&](std::uint64_t seed) {
        std::mt19937_64 random(seed);
        Symbols result;
        for (const Symbol symbol : ends.carried)
            if (random() % 4 == 0) result.push_back(symbol);
        return result;
    };
    EXPECT_TRUE(ends.mismatch(sampled(1), sampled(2)));
}

/// Counts of zeros and ones in fp32, summed in `lanes` parts that are added at the end.
Table table_of_floats(const TwoEnds& ends, float zeros_before, std::uint32_t zeros, std::uint32_t ones,
                      std::uint32_t lanes) {
    float zero = zeros_before;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
        float part = lanes == 1 ? zero : 0;
        for (std::uint32_t i = 0; i < zeros / lanes; ++i) part += 1;
        zero = lanes == 1 ? part : zero + part;
    }
    Counts counts(table_rows);
    counts[0] = static_cast<std::uint64_t>(zero);
    counts[1] = ones;
    return ends.codec->make_table(counts, context.width);
}

TEST(UndecodableSchemes, T9CountsInFloatingPointAddedInAnotherOrder) {
    // 2^24 + 1 is 2^24 in fp32: one by one, 2^22 more zeros count for nothing; as sums of 64 lanes they all count.
    // Of 1008, with 2^24 ones: 504 zeros at one end, 1008 * 5/9 = 560 at the other.
    TwoEnds ends;
    std::ranges::transform(ends.carried, ends.carried.begin(), [](Symbol v) { return v & 1; });
    constexpr std::uint32_t before = 1 << 24, hits = 1 << 22;
    const Table one_by_one = table_of_floats(ends, before, hits, before, 1);
    const Table by_lanes = table_of_floats(ends, before, hits, before, 64);
    EXPECT_EQ(one_by_one.count(0), 1 + 504u);
    EXPECT_EQ(by_lanes.count(0), 1 + 560u);
    EXPECT_TRUE(ends.mismatch(one_by_one, by_lanes));
}

}   // namespace
}   // namespace oscar::undecodable_schemes_test
