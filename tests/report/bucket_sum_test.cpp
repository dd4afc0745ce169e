#include "sim/report/statistics.hpp"

#include <gmock/gmock.h>

namespace oscar::bucket_sum_test {
namespace {

using ::testing::ElementsAre;

/// 1100 ps, of which the exchange, the broadcast and the kernels take 150, 50 and 100; two links; 100 bytes.
IterationResult first() {
    IterationResult r;
    r.position = 7;
    r.allreduce_ps = 1100;
    r.scale_exchange_ps = 150;
    r.boundary_broadcast_ps = 50;
    r.gpu_kernel_ps = 100;
    r.closed_form_ps = 1090;
    r.payload_bytes = 100;
    r.wire_bytes = 110;
    r.values = 50;
    r.side_bytes = 3;
    r.resent_messages = 2;
    r.resent_bytes = 40;
    r.imbalance = 1.5;
    r.chunk_prediction_error = 0.1;
    r.entropy_bits = 640;
    r.codec_ps = 10;
    r.wire_ps = 20;
    r.wait_ps = 770;
    r.link_window_ps = 600;
    r.idle_wait_share = 0.5;
    r.engine_utilisation = 0.25;
    r.links = {{"a", 0.5, 60}, {"b", 0.25, 50}};
    r.fidelity = fidelity(Deviation{16, 25, 9, 9});   // (3, 0) for (3, 4)
    r.saturated_values = 4;
    r.sums_match_reference = true;
    return r;
}

/// 250 ps without exchange, of which the kernels take 50, in which link a carries nothing; 300 bytes.
IterationResult second() {
    IterationResult r;
    r.position = 7;
    r.allreduce_ps = 250;
    r.gpu_kernel_ps = 50;
    r.closed_form_ps = 251;
    r.payload_bytes = 300;
    r.wire_bytes = 310;
    r.values = 150;
    r.side_bytes = 4;
    r.resent_messages = 1;
    r.resent_bytes = 7;
    r.imbalance = 1.1;
    r.entropy_bits = 2000;
    r.codec_ps = 1;
    r.wire_ps = 2;
    r.wait_ps = 197;
    r.link_window_ps = 200;
    r.idle_wait_share = 0.1;
    r.engine_utilisation = 0.75;
    r.links = {{"b", 0.5, 310}};
    r.fidelity = fidelity(Deviation{1, 144, 121, 132});   // 11 for 12
    r.saturated_values = 5;
    r.sums_match_reference = true;
    return r;
}

IterationResult both() { return sum_of_buckets(std::vector{first(), second()}); }

TEST(BucketSum, AddsTimesBytesAndCounts) {
    const IterationResult r = both();
    EXPECT_EQ(r.position, 7u);
    EXPECT_EQ(r.allreduce_ps, 1350);
    EXPECT_EQ(r.scale_exchange_ps, 150);
    EXPECT_EQ(r.boundary_broadcast_ps, 50);
    EXPECT_EQ(r.gpu_kernel_ps, 150);
    EXPECT_EQ(r.closed_form_ps, 1341);
    EXPECT_EQ(r.entropy_bits, 2640);
    EXPECT_EQ(r.codec_ps + r.wire_ps + r.wait_ps, 1000);
    EXPECT_EQ(r.codec_ps, 11);
    EXPECT_EQ(r.wire_ps, 22);
    EXPECT_EQ(r.link_window_ps, 800);
    EXPECT_EQ(r.payload_bytes, 400u);
    EXPECT_EQ(r.wire_bytes, 420u);
    EXPECT_EQ(r.values, 200u);
    EXPECT_EQ(r.side_bytes, 7u);
    EXPECT_EQ(r.resent_messages, 3u);
    EXPECT_EQ(r.resent_bytes, 47u);
    EXPECT_EQ(r.saturated_values, 9u);
}

TEST(BucketSum, WeighsImbalanceByWhatIsSent) {
    EXPECT_DOUBLE_EQ(both().imbalance, (1.5 * 100 + 1.1 * 300) / 400);   // largest / mean messages, over both
}

TEST(BucketSum, WeighsSharesByTheTimeTheyAreOf) {
    const IterationResult r = both();
    EXPECT_DOUBLE_EQ(r.idle_wait_share, (0.5 * 600 + 0.1 * 200) / 800);
    EXPECT_DOUBLE_EQ(r.engine_utilisation, (0.25 * 800 + 0.75 * 200) / 1000);   // without exchange and kernels
}

TEST(BucketSum, AddsFactorsOfControllersAndAveragesTheirGains) {
    IterationResult one = first(), other = second();
    one.factors = {{10, 3, 1, 0.5, 100.0}, {20, 0, 1, 0.25, {}}};
    other.factors = {{1, 2, 1, 1.0, {}}, {10, 1, 3, 0.9, {}}, {20, 4, 0, {}, {}}};
    const std::vector<FactorReport> all = sum_of_buckets(std::vector{one, other}).factors;
    ASSERT_EQ(all.size(), 3u);   // ascending
    EXPECT_EQ(all[0].factor, 1);
    EXPECT_EQ(all[1].factor, 10);
    EXPECT_EQ(all[1].tensors, 4u);
    EXPECT_EQ(all[1].tried, 4u);
    EXPECT_DOUBLE_EQ(all[1].gain.value(), (0.5 + 3 * 0.9) / 4);
    EXPECT_EQ(all[1].throughput, 100.0);   // as last known
    EXPECT_EQ(all[2].tensors, 4u);
    EXPECT_DOUBLE_EQ(all[2].gain.value(), 0.25);
    EXPECT_EQ(all[2].throughput, std::nullopt);
    EXPECT_TRUE(both().factors.empty());
}

TEST(BucketSum, AddsLinksByNameWhicheverBucketUsesThem) {
    const IterationResult r = both();
    ASSERT_EQ(r.links.size(), 2u);
    EXPECT_EQ(r.links[0].name, "a");
    EXPECT_DOUBLE_EQ(r.links[0].utilisation, 0.5 * 800 / 1000);
    EXPECT_DOUBLE_EQ(r.links[1].utilisation, (0.25 * 800 + 0.5 * 200) / 1000);
    EXPECT_EQ(r.links[1].wire_bytes, 360u);
    EXPECT_DOUBLE_EQ(r.link_utilisation, (0.4 + 0.3) / 2);
}

TEST(BucketSum, HasTheErrorOfTheWholeGradient) {
    EXPECT_DOUBLE_EQ(both().fidelity->relative_l2_error, std::sqrt(17.0) / 13);   // |(0, 4, 1)| / |(3, 4, 12)|
    EXPECT_DOUBLE_EQ(both().fidelity->cosine, 141 / (13 * std::sqrt(130.0)));
}

TEST(BucketSum, AveragesThePredictionOfThoseThatWerePredicted) {
    EXPECT_EQ(both().chunk_prediction_error, 0.1);
    IterationResult predicted = second();
    predicted.chunk_prediction_error = 0.5;
    EXPECT_DOUBLE_EQ(*sum_of_buckets(std::vector{first(), predicted}).chunk_prediction_error, (10 + 150) / 400.0);
    EXPECT_FALSE(sum_of_buckets(std::vector{second(), second()}).chunk_prediction_error);
}

TEST(BucketSum, LosesWhatOneBucketLacks) {
    IterationResult blocked_on = second();
    blocked_on.closed_form_ps.reset();
    blocked_on.entropy_bits.reset();
    blocked_on.sums_match_reference = false;
    for (const auto& buckets : {std::vector{first(), blocked_on}, std::vector{blocked_on, first()}}) {
        EXPECT_FALSE(sum_of_buckets(buckets).closed_form_ps);
        EXPECT_FALSE(sum_of_buckets(buckets).entropy_bits);
        EXPECT_EQ(sum_of_buckets(buckets).sums_match_reference, false);
    }
    EXPECT_EQ(both().sums_match_reference, true);
}

TEST(BucketSum, OfOneBucketIsThatBucket) {
    const IterationResult one = sum_of_buckets(std::vector{first()});
    EXPECT_EQ(one.imbalance, 1.5);
    EXPECT_EQ(one.idle_wait_share, 0.5);
    EXPECT_EQ(one.chunk_prediction_error, 0.1);
    EXPECT_EQ(one.fidelity->relative_l2_error, 0.8);
    EXPECT_EQ(one.links.size(), 2u);
    for (int n = 1; n < 100; ++n) {   // to the last bit, which weighing by n and dividing by n would not always leave
        IterationResult r = first();
        r.imbalance = 1 + n / 7.0;
        r.payload_bytes = 3 * static_cast<std::uint64_t>(n);
        EXPECT_EQ(sum_of_buckets(std::vector{r}).imbalance, r.imbalance);
    }
}

}   // namespace
}   // namespace oscar::bucket_sum_test
