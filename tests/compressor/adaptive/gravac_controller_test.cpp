// The decisions of GraVAC against the paper's lists and numbers.
#include "models/compressor/adaptive/gravac_controller.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace oscar::gravac_controller_test {
namespace {

using ::testing::ElementsAre;

constexpr Time second{1'000'000'000'000};

/// A step of `gains` that lasts one second, or `seconds`.
GravacLevel step(GravacController& controller, GravacNorms gains, double seconds = 1) {
    const GravacLevel level = controller.decide(gains);
    controller.completed({Time{static_cast<std::int64_t>(seconds * static_cast<double>(second.ps))}, {}, {}});
    return level;
}

/// One window is one step, and no gain equals another.
GravacParams quick() {
    GravacParams params;
    params.window = 1;
    params.omega = 0;
    params.smoothing = 1;
    return params;
}

/// The candidates of the first windows. Throughputs differ, so that none saturates.
std::vector<double> candidates(const GravacParams& params, int windows) {
    GravacController controller(params, 4);
    std::vector<double> list;
    for (int w = 0; w < windows; ++w) {
        list.push_back(controller.candidate());
        step(controller, {1, 0.95, 0.9}, 1.0 / (w + 1));
    }
    return list;
}

TEST(GravacCandidates, AreThoseOfThePaperForBothPolicies) {
    GravacParams params = quick();
    EXPECT_THAT(candidates(params, 5), ElementsAre(20, 40, 160, 1000, 1000));   // 10 * 256 is beyond
    params.policy = ScalingPolicy::geometric;
    params.max_factor = 2000;
    EXPECT_THAT(candidates(params, 9), ElementsAre(20, 40, 80, 160, 320, 640, 1280, 2000, 2000));
    params.min_factor = 1.5;
    params.max_factor = 1000;
    EXPECT_THAT(candidates(params, 6), ElementsAre(3, 6, 12, 24, 48, 96));
}

TEST(GravacCandidates, StayForAWindow) {
    GravacParams params = quick();
    params.window = 3;
    EXPECT_THAT(candidates(params, 7), ElementsAre(20, 20, 20, 40, 40, 40, 160));
}

TEST(GravacCandidates, AreOneWhereTheRangeIsOne) {
    GravacParams params = quick();
    params.max_factor = 10;
    EXPECT_THAT(candidates(params, 2), ElementsAre(10, 10));
    params.max_factor = 9;
    EXPECT_THROW(GravacController(params, 1), std::invalid_argument);
}

/// Sends the geometric candidates from 10 to 2000 with the throughputs of the paper's run of RedSync on ResNet101.
double factor_after_throughputs(GravacParams params, double of_1280, double of_2000) {
    params.policy = ScalingPolicy::geometric;
    params.max_factor = 2000;
    params.epsilon = 0;   // the candidate is sent
    params.batch = 1;
    GravacController controller(params, 1);
    for (const double throughput : {100.0, 200.0, 300.0, 400.0, 500.0, 600.0, of_1280, of_2000})
        step(controller, {1, 1, 0.5}, 0.5 / throughput);   // samples per second times gain
    return controller.candidate();
}

TEST(GravacSaturation, Picks1280OfThePapersThroughputs) {
    GravacParams params = quick();
    params.omega = 0.01;   // |1035.4 - 1029.9| / 1029.9 = 0.534 %
    EXPECT_EQ(factor_after_throughputs(params, 1029.9, 1035.4), 1280);
    params.omega = 0.005;
    EXPECT_EQ(factor_after_throughputs(params, 1029.9, 1035.4), 2000);
}

TEST(GravacSaturation, PicksTheLowerFactorOrAsPrintedTheLowerThroughput) {
    GravacParams params = quick();
    params.omega = 0.01;
    EXPECT_EQ(factor_after_throughputs(params, 1035.4, 1029.9), 1280);
    params.saturation = SaturationChoice::second_highest;
    EXPECT_EQ(factor_after_throughputs(params, 1035.4, 1029.9), 2000);
    EXPECT_EQ(factor_after_throughputs(params, 1029.9, 1035.4), 1280);
}

TEST(GravacSaturation, StaysAsLongAsTheTwoThroughputsStandAndGoesOnThereafter) {
    GravacParams params = quick();
    params.omega = 0.01;
    params.epsilon = 0;
    params.batch = 1;
    GravacController controller(params, 1);
    step(controller, {1, 0.9, 0.5}, 0.5 / 100);     // 20
    step(controller, {1, 0.9, 0.5}, 0.5 / 100.5);   // 40: saturated, the lower one
    EXPECT_EQ(controller.candidate(), 20);
    step(controller, {1, 0.9, 0.5}, 0.5 / 100.4);
    EXPECT_EQ(controller.candidate(), 20);
    step(controller, {1, 0.9, 0.5}, 0.5 / 80);   // 20 is slow now: 80 against 100.5
    EXPECT_EQ(controller.candidate(), 40);
}

TEST(GravacLadder, SendsTheCandidateTheFloorOrAll) {
    GravacController controller(quick(), 4);   // epsilon 0.7
    EXPECT_EQ(controller.decide({1, 0.95, 0.8}), GravacLevel::candidate);
    EXPECT_EQ(controller.sent_factor(), 20);
    EXPECT_EQ(controller.decide({1, 0.95, 0.6}), GravacLevel::floor);
    EXPECT_EQ(controller.sent_factor(), 10);
    EXPECT_EQ(controller.decide({1, 0.65, 0.6}), GravacLevel::dense);
    EXPECT_EQ(controller.sent_factor(), 1);
    EXPECT_EQ(controller.decide({1, 0.9, 0.7}), GravacLevel::candidate);   // at least epsilon
}

TEST(GravacGain, OfOneIsNeededForAnEpsilonOfOneAndNoneForZero) {
    GravacParams params = quick();
    params.epsilon = 1;
    GravacController strict(params, 4);
    EXPECT_EQ(strict.decide({3, 2.999, 2.99}), GravacLevel::dense);
    EXPECT_EQ(strict.decide({3, 3, 2.99}), GravacLevel::floor);
    EXPECT_EQ(strict.decide({3, 3, 3}), GravacLevel::candidate);
    params.epsilon = 0;
    EXPECT_EQ(GravacController(params, 4).decide({3, 0.1, 0}), GravacLevel::candidate);
}

TEST(GravacGain, IsAMovingAverageOfTheRatioWithAHundredthOfTheRanks) {
    GravacParams params = quick();
    params.smoothing = 0;
    GravacController controller(params, 32);
    controller.decide({2, 1.6, 1});
    EXPECT_DOUBLE_EQ(controller.floor_gain(), 0.8);
    controller.decide({4, 2.4, 1});
    EXPECT_DOUBLE_EQ(controller.floor_gain(), 0.32 * 0.6 + 0.68 * 0.8);
    EXPECT_DOUBLE_EQ(controller.candidate_gain(), 0.32 * 0.25 + 0.68 * 0.5);
}

TEST(GravacGain, IsARatioOfMovingAveragesOfTheNormsIfSoRead) {
    GravacParams params = quick();
    params.smoothing = 0.5;
    params.average = GainAverage::norms;
    GravacController controller(params, 1);
    controller.decide({2, 1.6, 1});
    controller.decide({4, 2.4, 1});
    EXPECT_DOUBLE_EQ(controller.floor_gain(), (0.5 * 2.4 + 0.5 * 1.6) / (0.5 * 4 + 0.5 * 2));
}

TEST(GravacGain, IsNotNotedOfZeroGradients) {
    GravacController controller(quick(), 1);
    EXPECT_EQ(controller.decide({0, 0, 0}), GravacLevel::candidate);
    EXPECT_EQ(controller.floor_gain(), 1);
    controller.decide({1, 0.5, 0.4});
    controller.decide({0, 0, 0});
    EXPECT_EQ(controller.floor_gain(), 0.5);
}

TEST(GravacGain, OfAFactorGoesOnWhenTheCandidateBecomesTheFloor) {
    GravacParams params = quick();
    params.omega = 0.01;
    GravacController controller(params, 1);
    step(controller, {1, 0.800, 0.795});   // within 1 %: the floor moves to 20
    EXPECT_EQ(controller.floor(), 20);
    EXPECT_DOUBLE_EQ(controller.floor_gain(), 0.795);
    EXPECT_EQ(controller.candidate_gain(), 1);   // of 40, not yet known
}

TEST(GravacFloor, MovesOnlyWhereTheGainsAreWithinOmega) {
    GravacParams params = quick();
    params.omega = 0.01;
    params.epsilon = 0.9;
    GravacController controller(params, 1);
    for (int window = 0; window < 5; ++window) step(controller, {1, 0.95, 0.94}, 1.0 / (window + 1));   // 1.05 % apart
    EXPECT_EQ(controller.floor(), 10);
    step(controller, {1, 0.95, 0.941}, 0.1);   // 0.95 %
    EXPECT_EQ(controller.floor(), 1000);       // the candidate that was evaluated
    EXPECT_EQ(controller.candidate(), 1000);   // one level
}

/// Floors and candidates of windows whose gains are all one, as they are before each.
std::vector<std::pair<double, double>> scale_ups(const GravacParams& params, int windows) {
    GravacController controller(params, 1);
    std::vector<std::pair<double, double>> result;
    for (int w = 0; w < windows; ++w) {
        result.emplace_back(controller.floor(), controller.candidate());
        step(controller, {1, 0.9, 0.9}, std::pow(0.5, w));
    }
    return result;
}

using Pairs = std::vector<std::pair<double, double>>;

TEST(GravacFloor, FollowsTheListOfCandidates) {
    EXPECT_EQ(scale_ups(quick(), 5), (Pairs{{10, 20}, {20, 40}, {40, 160}, {160, 1000}, {1000, 1000}}));
}

TEST(GravacFloor, IsMultipliedByTheNextStepIfStepsAreOfTheFloor) {
    GravacParams params = quick();
    params.step_base = StepBase::floor;
    // Steps 2, 4, 16, 100. From 10 and 20 the step becomes 4 and the floor 20: 80; from 80, step 16: 1280, clamped.
    EXPECT_EQ(scale_ups(params, 4), (Pairs{{10, 20}, {20, 80}, {80, 1000}, {1000, 1000}}));
    params.overshoot = Overshoot::allow;
    EXPECT_EQ(scale_ups(params, 4), (Pairs{{10, 20}, {20, 80}, {80, 1280}, {1280, 128'000}}));
}

TEST(GravacFloor, JumpsToTheNextCandidateAsPrinted) {
    GravacParams params = quick();
    params.floor_move = FloorMove::advanced;
    params.step_base = StepBase::floor;
    // The step is advanced to 4 before the floor becomes 4 * 10, and the candidate 4 * 40; then 16 * 40 and 16 * 640.
    EXPECT_EQ(scale_ups(params, 3), (Pairs{{10, 20}, {40, 160}, {640, 1000}}));
    params.step_base = StepBase::first_floor;
    EXPECT_EQ(scale_ups(params, 2), (Pairs{{10, 20}, {40, 40}}));
}

double throughput_of(const GravacController& controller, double factor) {
    return controller.throughputs().at(factor).value();
}

TEST(GravacThroughput, IsSamplesPerSecondTimesGain) {
    GravacParams params = quick();
    params.batch = 20;
    GravacController controller(params, 4);
    controller.decide({1, 0.9, 0.8});
    controller.completed({second, second, 2 * second});
    EXPECT_DOUBLE_EQ(throughput_of(controller, 20), 4 * 20 / 4.0 * 0.8);
    EXPECT_THROW(controller.completed({}), std::invalid_argument);
}

TEST(GravacThroughput, OfADenseStepLeavesCompressionOutUnlessItIsAskedFor) {
    for (const auto& [dense_time, seconds] :
         {std::pair{DenseTime::without_compression, 3.0}, {DenseTime::with_compression, 4.0}}) {
        GravacParams params = quick();
        params.batch = 1;
        params.dense_time = dense_time;
        GravacController controller(params, 1);
        controller.decide({1, 0.1, 0.1});
        controller.completed({second, second, 2 * second});
        EXPECT_DOUBLE_EQ(throughput_of(controller, 1), 1 / seconds);
    }
}

TEST(GravacThroughput, IsTheLastOrAnAverage) {
    for (const auto& [memory, expected] : {std::pair{ThroughputMemory::last, 1.0}, {ThroughputMemory::average, 0.75}}) {
        GravacParams params = quick();
        params.batch = 1;
        params.window = 10;
        params.smoothing = 0.5;
        params.throughput = memory;
        GravacController controller(params, 1);
        step(controller, {1, 1, 1}, 2);
        step(controller, {1, 1, 1}, 1);
        EXPECT_DOUBLE_EQ(throughput_of(controller, 20), expected);   // 1/2 and 1 samples per second
    }
}

}   // namespace
}   // namespace oscar::gravac_controller_test
