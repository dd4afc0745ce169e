// Values of these captures tell where they come from: 1000 * position + 10 * row + element.
#include "sim/replay/replay.hpp"

#include <gmock/gmock.h>

#include "tests/replay/captures.hpp"

namespace oscar::replay_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A written capture of 2 ranks and 5 elements in layers of 2, 1 and 2.
class Written {
public:
    explicit Written(const std::vector<std::uint64_t>& steps)
        : trace(Trace::open(test::write_trace(folder_, "t", capture(steps)))) {}

private:
    static test::Capture capture(const std::vector<std::uint64_t>& steps) {
        test::Capture result{steps, {}, {2, 1, 2}};
        for (std::size_t p = 0; p < steps.size(); ++p) {
            test::Gradients rows(2, std::vector<float>(5));
            for (std::size_t r = 0; r < 2; ++r)
                for (std::size_t i = 0; i < 5; ++i) rows[r][i] = static_cast<float>(1000 * p + 10 * r + i);
            result.gradients.push_back(rows);
        }
        return result;
    }
    testing::TemporaryFolder folder_;

public:
    Trace trace;
};

std::vector<std::pair<std::size_t, std::uint32_t>> rows(const Trace& trace, std::size_t position, std::uint32_t ranks) {
    std::vector<std::pair<std::size_t, std::uint32_t>> result;
    for (const CapturedRow row : resampled_rows(trace, position, ranks))
        result.emplace_back(row.position, row.row.value);
    return result;
}

using Rows = std::vector<std::pair<std::size_t, std::uint32_t>>;

TEST(Resampling, LeavesAsManyRanksAsWereCapturedAlone) {
    const Written w({5, 6, 7, 8});
    EXPECT_EQ(rows(w.trace, 2, 2), (Rows{{2, 0}, {2, 1}}));
    EXPECT_EQ(rows(w.trace, 2, 1), (Rows{{2, 0}}));
}

TEST(Resampling, TakesNeighboursAtAnEvenDistanceFirstAndRepeatsLast) {
    const Written w({5, 6, 7, 8});
    EXPECT_EQ(rows(w.trace, 1, 10),
              (Rows{{1, 0}, {1, 1}, {3, 0}, {3, 1}, {0, 0}, {0, 1}, {2, 0}, {2, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(repeated(resampled_rows(w.trace, 1, 8)), 0u);
    EXPECT_EQ(repeated(resampled_rows(w.trace, 1, 9)), 1u);
    EXPECT_EQ(repeated(resampled_rows(w.trace, 1, 17)), 9u);
}

TEST(Resampling, SharesNoMicroBatchBetweenAnIterationAndTheNext) {
    const Written w({5, 6, 7, 8});
    for (std::size_t position = 1; position < 4; ++position)
        for (const auto& row : rows(w.trace, position, 4))
            EXPECT_THAT(rows(w.trace, position - 1, 4), ::testing::Not(::testing::Contains(row))) << position;
}

TEST(Resampling, StaysWithinTheUnbrokenRun) {
    const Written w({5, 6, 90, 91, 92});
    EXPECT_EQ(rows(w.trace, 1, 6), (Rows{{1, 0}, {1, 1}, {0, 0}, {0, 1}, {1, 0}, {1, 1}}));
    EXPECT_EQ(rows(w.trace, 2, 6), (Rows{{2, 0}, {2, 1}, {4, 0}, {4, 1}, {3, 0}, {3, 1}}));
}

TEST(Replay, ShowsTheChosenLayersOneAfterTheOther) {
    const Written w({5});
    const Replay replay(w.trace, 2, {0, 2});
    EXPECT_EQ(replay.elements(), 4u);
    EXPECT_THAT(replay.tensors(), ElementsAre(Segment{0, 2}, Segment{2, 4}));
    EXPECT_THAT(replay.gradients(0), ElementsAre(ElementsAre(0, 1, 3, 4), ElementsAre(10, 11, 13, 14)));
}

TEST(Replay, ShowsABucketInTheOrderInWhichTheBackwardPassFillsIt) {
    const Written w({5});
    const std::vector<std::size_t> all = {0, 1, 2};
    // 4 bytes a value: the last layer, of 8 bytes, and the one of 4 fill 12; the first layer is left.
    BucketChoice bucket;
    bucket.size = bucket.first = Bytes{12};
    EXPECT_THAT(layers_of_bucket(w.trace.manifest(), all, bucket), ElementsAre(2, 1));
    const Replay replay(w.trace, 1, layers_of_bucket(w.trace.manifest(), all, bucket));
    EXPECT_THAT(replay.gradients(0), ElementsAre(ElementsAre(3, 4, 2)));
    EXPECT_THAT(replay.tensors(), ElementsAre(Segment{0, 2}, Segment{2, 3}));
    bucket.index = 1;
    EXPECT_THAT(layers_of_bucket(w.trace.manifest(), all, bucket), ElementsAre(0));
}

TEST(Replay, CutsTheChosenLayersIntoBucketsThatTellTheirPlaceInTheTrace) {
    const Written w({5});
    const std::vector<std::size_t> outer = {0, 2};
    const auto buckets = layers_of_buckets(w.trace.manifest(), outer, {Bytes{8}, Bytes{8}});   // 2 values each
    EXPECT_THAT(buckets, ElementsAre(ElementsAre(2), ElementsAre(0)));
}

TEST(Replay, TellsHowManyBucketsThereAre) {
    const Written w({5});
    const std::vector<std::size_t> all = {0, 1, 2};
    BucketChoice bucket;
    bucket.index = 1;
    try {
        layers_of_bucket(w.trace.manifest(), all, bucket);
        FAIL() << "index 1 of 1 bucket was taken";
    } catch (const std::out_of_range& error) {
        EXPECT_STREQ(error.what(), "index 1, but the layers fill 1 bucket of this size; choose 0 to 0");
    }
}

TEST(Replay, GivesResampledRanksTheRowsOfTheirDonors) {
    const Written w({5, 6, 7});
    const auto gradients = Replay(w.trace, 5, {1}).gradients(0);
    EXPECT_THAT(gradients,
                ElementsAre(ElementsAre(2), ElementsAre(12), ElementsAre(2002), ElementsAre(2012), ElementsAre(1002)));
}

}   // namespace
}   // namespace oscar::replay_test
