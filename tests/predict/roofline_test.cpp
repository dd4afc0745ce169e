#include "models/predict/roofline.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include "models/predict/predictors.hpp"

namespace oscar::roofline_test {
namespace {

using ::testing::ElementsAre;

Time time_of(const RooflineParams& params, Bytes size = 4_GiB, std::uint32_t ranks = 8) {
    return predictions(params, ranks, size).at(0).time;
}

RooflineParams fp32(std::uint64_t dma_gbps, std::uint64_t link_gbps, RooflineSchedule schedule) {
    RooflineParams params;
    params.dma_bandwidth = {dma_gbps * 1000};
    params.link_bandwidth = {link_gbps * 1000};
    params.schedule = schedule;
    return params;
}

/// Bits per value on the wire and over DMA.
struct Widths {
    double reduce_scatter, all_gather, read, written;
};

RooflineParams with(RooflineParams params, const Widths& widths, std::uint32_t lanes) {
    params.reduce_scatter_bits = widths.reduce_scatter;
    params.all_gather_bits = widths.all_gather;
    params.read_bits = widths.read;
    params.written_bits = widths.written;
    params.lanes = lanes;
    return params;
}

/// a / b to two decimals, half a hundredth rounded up.
std::string ratio(Time a, Time b) {
    const auto hundredths = (UInt128(a.ps) * 200 + UInt128(b.ps)) / (UInt128(b.ps) * 2);
    std::string digits = std::to_string(static_cast<std::uint64_t>(hundredths));
    return digits.insert(digits.size() - 2, ".");
}

/// Speed-ups over fp32 of uncoded integers, of coded ones with 64 lanes and of coded ones with 256. Times of this size
/// are whole picoseconds.
std::string speed_ups(const RooflineParams& fp32, const Widths& uncoded, const Widths& coded) {
    const auto speed_up = [&](const RooflineParams& method) {
        constexpr Bytes size{std::uint64_t{504'000'000} * 4};
        return ratio(time_of(fp32, size), time_of(method, size));
    };
    return speed_up(with(fp32, uncoded, 0)) + " / " + speed_up(with(fp32, coded, 64)) + " / " +
           speed_up(with(fp32, coded, 256));
}

TEST(Roofline, GivesTheSpeedUpsOfEightRanksThatWereComputedByHand) {
    constexpr auto one_bucket = RooflineSchedule::one_bucket, pipelined = RooflineSchedule::pipelined;
    // Rates in Gbit/s: PCIe 5.0 x16 has 504, PCIe 6.0 x16 1008. Columns: fp32 over DMA; codes, sums as 16 bits; codes,
    // sums requantised to 8 bits.
    struct Case {
        std::uint64_t dma, link;
        RooflineSchedule schedule;
        std::string fp32, codes, requantised;
    };
    for (const Case& row :
         {Case{504, 100, one_bucket, "3.05 / 4.41 / 4.41", "3.05 / 5.98 / 5.98", "3.56 / 6.74 / 6.74"},
          Case{504, 100, pipelined, "3.05 / 5.98 / 5.98", "3.05 / 5.98 / 5.98", "3.56 / 6.74 / 6.74"},
          Case{504, 200, one_bucket, "2.21 / 2.21 / 2.21", "3.05 / 5.26 / 5.26", "3.56 / 6.74 / 6.74"},
          Case{504, 200, pipelined, "3.05 / 4.41 / 4.41", "3.05 / 5.98 / 5.98", "3.56 / 6.74 / 6.74"},
          Case{504, 400, one_bucket, "1.10 / 1.10 / 1.10", "2.61 / 2.94 / 2.94", "3.56 / 4.41 / 4.41"},
          Case{504, 400, pipelined, "2.21 / 2.21 / 2.21", "3.05 / 4.41 / 4.41", "3.56 / 5.12 / 6.74"},
          Case{504, 800, one_bucket, "1.00 / 1.00 / 1.00", "2.67 / 2.67 / 2.67", "4.00 / 4.00 / 4.00"},
          Case{504, 800, pipelined, "1.10 / 1.10 / 1.10", "2.21 / 2.21 / 2.21", "3.56 / 2.56 / 4.41"},
          Case{1008, 400, one_bucket, "2.21 / 2.21 / 2.21", "3.05 / 4.74 / 5.26", "3.56 / 5.12 / 6.74"},
          Case{1008, 400, pipelined, "3.05 / 4.41 / 4.41", "3.05 / 5.12 / 5.98", "3.56 / 5.12 / 6.74"},
          Case{1008, 800, one_bucket, "1.10 / 1.10 / 1.10", "2.61 / 2.37 / 2.94", "3.56 / 2.56 / 4.41"},
          Case{1008, 800, pipelined, "2.21 / 2.21 / 2.21", "3.05 / 2.56 / 4.41", "3.56 / 2.56 / 6.74"},
          Case{1008, 1600, pipelined, "1.10 / 1.10 / 1.10", "2.21 / 1.28 / 2.21", "3.56 / 1.28 / 4.41"}}) {
        const RooflineParams base = fp32(row.dma, row.link, row.schedule);
        const std::string where =
            std::to_string(row.dma) + ", " + std::to_string(row.link) + ", " + std::string(to_text(row.schedule));
        EXPECT_EQ(speed_ups(base, {10, 11, 32, 32}, {4.9, 5.8, 32, 32}), row.fp32) << where;
        EXPECT_EQ(speed_ups(base, {10, 11, 8, 16}, {4.9, 5.8, 8, 16}), row.codes) << where;
        EXPECT_EQ(speed_ups(base, {10, 8, 8, 8}, {4.9, 4.6, 8, 8}), row.requantised) << where;
    }
}

/// 8 ranks, 800 values: 700 leave a rank in each half. 1 Gbit/s is a nanosecond per bit.
RooflineParams narrow(RooflineSchedule schedule) {
    RooflineParams params = with(fp32(4, 1, schedule), {4.9, 5.8, 8, 40}, 2);
    params.clock = {500'000};   // two lanes at half a gigahertz: a value per nanosecond
    return params;
}

TEST(Roofline, OfOneBucketIsTheSumOfTwoPhases) {
    const auto phases = roofline_phases(narrow(RooflineSchedule::one_bucket), 8, {3200});
    ASSERT_EQ(phases.size(), 2u);
    EXPECT_EQ(phases[0].name, "reduce_scatter");
    EXPECT_THAT(phases[0].times, ElementsAre(3430_ns, 1600_ns, 0_ns, 700_ns, 700_ns));   // 700 * 4.9, 800 * 8 / 4
    EXPECT_EQ(phases[1].name, "all_gather");
    EXPECT_THAT(phases[1].times, ElementsAre(4060_ns, 0_ns, 8000_ns, 100_ns, 700_ns));   // 700 * 5.8, 800 * 40 / 4
    const Predicted predicted = predictions(narrow(RooflineSchedule::one_bucket), 8, {3200}).at(0);
    EXPECT_EQ(predicted.name, "one_bucket");
    EXPECT_EQ(predicted.time, 3430_ns + 8000_ns);
    ASSERT_EQ(predicted.phases.size(), 2u);
    EXPECT_EQ(predicted.phases[0].limiter, "wire");
    EXPECT_EQ(predicted.phases[1].limiter, "dma_write");
    EXPECT_EQ(predicted.phases[0].time + predicted.phases[1].time, predicted.time);
}

TEST(Roofline, OfPipelinedBucketsIsThatOfTheBusiestResource) {
    const auto phases = roofline_phases(narrow(RooflineSchedule::pipelined), 8, {3200});
    ASSERT_EQ(phases.size(), 1u);
    EXPECT_THAT(phases[0].times, ElementsAre(7490_ns, 1600_ns, 8000_ns, 800_ns, 1400_ns));
    const Predicted predicted = predictions(narrow(RooflineSchedule::pipelined), 8, {3200}).at(0);
    EXPECT_EQ(predicted.time, 8000_ns);
    ASSERT_EQ(predicted.phases.size(), 1u);
    EXPECT_EQ(predicted.phases[0].limiter, "dma_write");
}

/// The limiter of pipelined buckets after a change.
template <class Change>
std::string limiter_after(Change change) {
    RooflineParams params = narrow(RooflineSchedule::pipelined);
    change(params);
    return predictions(params, 8, {3200}).at(0).phases.at(0).limiter;
}

TEST(Roofline, NamesEachResourceWhereItLimits) {
    EXPECT_EQ(limiter_after([](RooflineParams& p) { p.written_bits = 8; }), "wire");
    EXPECT_EQ(limiter_after([](RooflineParams& p) { p.read_bits = 41; }), "dma_read");
    EXPECT_EQ(limiter_after([](RooflineParams& p) { p.clock = 50_MHz; }), "decoder");   // 14,000 ns
    RooflinePhase phase{"with a slow encoder", {}};
    EXPECT_EQ(phase.limiter(), Resource::wire);   // the first of equal ones
    phase.times[3] = 1_ns;
    EXPECT_EQ(phase.limiter(), Resource::encoder);
}

TEST(Roofline, AddsTheTablesThatArraysTakeUpToEncoderAndDecoder) {
    RooflineParams params = narrow(RooflineSchedule::one_bucket);
    params.table_update = 5;
    params.table_values = 100;   // 5 cycles of 2 ns for every 100 values
    const auto halves = roofline_phases(params, 8, {3200});
    EXPECT_THAT(halves[0].times, ElementsAre(3430_ns, 1600_ns, 0_ns, 770_ns, 770_ns));
    EXPECT_THAT(halves[1].times, ElementsAre(4060_ns, 0_ns, 8000_ns, 110_ns, 770_ns));
    params.schedule = RooflineSchedule::pipelined;
    EXPECT_THAT(roofline_phases(params, 8, {3200})[0].times, ElementsAre(7490_ns, 1600_ns, 8000_ns, 880_ns, 1540_ns));
}

TEST(Roofline, IsLimitedByTablesFromTheFirstCycleThatTakesLongerThanTheOtherResources) {
    // 1400 ns of values and 14 u of tables against the 8000 ns of writing.
    const auto with_update = [](std::uint32_t cycles) {
        return limiter_after([&](RooflineParams& p) {
            p.table_values = 200;
            p.table_update = cycles;
        });
    };
    EXPECT_EQ(with_update(471), "dma_write");   // 7994 ns
    EXPECT_EQ(with_update(472), "decoder");     // 8008 ns
}

TEST(Roofline, HasNoEngineWithoutLanes) {
    RooflineParams params = narrow(RooflineSchedule::one_bucket);
    params.lanes = 0;
    params.table_update = 5;
    for (const RooflinePhase& phase : roofline_phases(params, 8, {3200})) {
        EXPECT_EQ(phase.time_of(Resource::encoder), 0_ns);
        EXPECT_EQ(phase.time_of(Resource::decoder), 0_ns);
    }
}

/// Any machine; rates over three decades, so that each resource limits some.
class Machines {
public:
    RooflineParams next() {
        RooflineParams params = with({}, {bits(), bits(), bits(), bits()}, static_cast<std::uint32_t>(draw(4)));
        params.link_bandwidth = {draw(1'000'000)};
        params.dma_bandwidth = {draw(1'000'000)};
        params.clock = {draw(2'000'000)};
        params.table_update = static_cast<std::uint32_t>(draw(200)) - 1;
        params.table_values = static_cast<std::uint32_t>(draw(100'000));
        return params;
    }
    std::uint32_t ranks() { return 1 + static_cast<std::uint32_t>(draw(4095)); }
    Bytes size() { return {draw(1'000'000'000)}; }

private:
    std::uint64_t draw(std::uint64_t most) { return 1 + random_() % most; }
    double bits() { return static_cast<double>(random_() % 640) / 10; }
    std::mt19937_64 random_{1};
};

/// f(params, ranks, size), of machines of both schedules.
template <class F>
void for_machines(F f) {
    Machines machines;
    for (int i = 0; i < 500; ++i) {
        RooflineParams params = machines.next();
        const std::uint32_t ranks = machines.ranks();
        const Bytes size = machines.size();
        for (const auto& schedule : choices(RooflineSchedule{})) {
            params.schedule = schedule.value;
            f(params, ranks, size);
        }
    }
}

TEST(Roofline, IsMonotoneInEachRateAndInTheNumberOfLanes) {
    for_machines([](const RooflineParams& params, std::uint32_t ranks, Bytes size) {
        const Time time = time_of(params, size, ranks);
        const auto no_slower = [&](const char* what, auto change) {
            RooflineParams faster = params;
            change(faster);
            EXPECT_LE(time_of(faster, size, ranks), time) << what;
        };
        no_slower("link_bandwidth", [](RooflineParams& p) { p.link_bandwidth.mbps += 1 + p.link_bandwidth.mbps / 2; });
        no_slower("dma_bandwidth", [](RooflineParams& p) { p.dma_bandwidth.mbps += 1 + p.dma_bandwidth.mbps / 2; });
        no_slower("lanes", [](RooflineParams& p) { p.lanes += 1; });
        no_slower("clock", [](RooflineParams& p) { p.clock.khz += 1 + p.clock.khz / 2; });
        no_slower("table_update", [](RooflineParams& p) { p.table_update /= 2; });
        no_slower("table_values", [](RooflineParams& p) { p.table_values *= 2; });
    });
}

TEST(Roofline, OfPipelinedBucketsIsNeverSlowerThanOfOneBucket) {
    for_machines([](RooflineParams params, std::uint32_t ranks, Bytes size) {
        params.schedule = RooflineSchedule::pipelined;
        const Time pipelined = time_of(params, size, ranks);
        params.schedule = RooflineSchedule::one_bucket;
        EXPECT_LE(pipelined, time_of(params, size, ranks));
    });
}

TEST(Roofline, IsNeverBelowTheTimeOfAnyResource) {
    std::array<int, 5> limits = {};
    for_machines([&](const RooflineParams& params, std::uint32_t ranks, Bytes size) {
        const Time time = time_of(params, size, ranks);
        std::array<Time, 5> busy = {};
        for (const RooflinePhase& phase : roofline_phases(params, ranks, size)) {
            for (std::size_t r = 0; r < busy.size(); ++r) busy[r] += phase.times[r];
            ++limits[static_cast<std::size_t>(phase.limiter())];
        }
        EXPECT_LE(*std::ranges::max_element(busy), time);
    });
    for (const Resource resource : {Resource::wire, Resource::dma_read, Resource::dma_write, Resource::decoder})
        EXPECT_GT(limits[static_cast<std::size_t>(resource)], 0) << to_text(resource);
}

TEST(Roofline, IsExactForATebibyteAndCountsMillionthsOfABit) {
    RooflineParams params;   // 2^38 values
    params.link_bandwidth = 8_Gbps;
    params.reduce_scatter_bits = 4.000001;
    params.all_gather_bits = params.read_bits = params.written_bits = 0;
    // 7/8 * 2^38 values * 4.000001 bits * 125 ps = 7 * 2^35 * 500.000125 ps
    EXPECT_EQ(time_of(params, 1024_GiB).ps, (std::int64_t{7} << 35) * 500 + ((std::int64_t{7} << 35) + 7999) / 8000);
}

TEST(Roofline, RefusesASumOfPhasesThatNoTimeHolds) {
    // Half of 14 * 10^12 values, of a bit each at a microsecond a bit: 7 * 10^18 ps in each phase; 2^63 is 9.2 * 10^18.
    RooflineParams params;
    params.link_bandwidth = 1_Mbps;
    params.read_bits = params.written_bits = 0;
    params.reduce_scatter_bits = params.all_gather_bits = 1;
    const Bytes size{std::uint64_t{14'000'000'000'000} * 4};
    EXPECT_EQ(roofline_phases(params, 2, size)[0].time_of(Resource::wire).ps, 7'000'000'000'000'000'000);
    EXPECT_THROW(time_of(params, size, 2), OutOfRange);
}

/// int8 codes in GPU memory, whose sums have 16 bits, behind 504 Gbit/s.
RooflineParams codes(std::uint64_t link_gbps, RooflineSchedule schedule, std::uint32_t lanes) {
    return with(fp32(504, link_gbps, schedule), {5, 5, 8, 16}, lanes);
}

TEST(RidgePoint, IsWhereTheWireTakesAsLongAsTheBusiestOtherResource) {
    constexpr auto one_bucket = RooflineSchedule::one_bucket, pipelined = RooflineSchedule::pipelined;
    // DMA: 16 / 504 * 400 = 12.698 bits pass the link while a sum is written, which a rank's link carries 7/8 times in
    // one half, or 14/8 times in both: 14.512 or 7.256 bits a message.
    EXPECT_EQ(ridge_point(codes(400, pipelined, 128), 8), 1857u);    // 7.256 * 256
    EXPECT_EQ(ridge_point(codes(400, one_bucket, 128), 8), 3715u);   // 14.512 * 256
    // Decoder: a value of each message takes 1 / 128 ns, in which 1600 Gbit/s carry 12.5 bits; with a DMA of 3600 the
    // sums are written in 4.06 bits of each message.
    RooflineParams fast = codes(1600, pipelined, 128);
    fast.dma_bandwidth = 3600_Gbps;
    EXPECT_EQ(ridge_point(fast, 8), 3200u);   // 12.5 * 256
    fast.lanes = 0;
    EXPECT_EQ(ridge_point(fast, 8), 1040u);   // 16 / 3600 * 1600 / 1.75 * 256
    // A link of 10 Gbit/s carries 10/256 bit while 256 lanes decode a value: far less than one bit.
    RooflineParams slow = codes(10, pipelined, 256);
    slow.dma_bandwidth = 3600_Gbps;
    EXPECT_EQ(ridge_point(slow, 8), 10u);
}

TEST(RidgePoint, DoesNotDependOnTheBitsOnTheWireAndHasABound) {
    RooflineParams params = codes(400, RooflineSchedule::pipelined, 128);
    params.reduce_scatter_bits = params.all_gather_bits = 0;
    EXPECT_EQ(ridge_point(params, 8), 1857u);
    params.dma_bandwidth = 1_Mbps;
    EXPECT_EQ(ridge_point(params, 8), 65'535u);
}

TEST(RidgePoint, IsTheFewestBitsWithWhichTheWireLimits) {
    for (const std::uint64_t link : {100u, 200u, 400u, 800u, 1600u})
        for (const std::uint32_t lanes : {64u, 256u})
            for (const std::uint32_t ranks : {2u, 8u, 64u}) {
                SCOPED_TRACE(::testing::Message() << link << ", " << lanes << " lanes, " << ranks << " ranks");
                RooflineParams params = codes(link, RooflineSchedule::pipelined, lanes);
                const std::uint32_t ridge = ridge_point(params, ranks);
                const auto limiter = [&](double bits) {
                    params.reduce_scatter_bits = params.all_gather_bits = bits / 256;
                    return roofline_phases(params, ranks, 64_MiB).front().limiter();
                };
                EXPECT_EQ(limiter(ridge + 1.0), Resource::wire);
                EXPECT_NE(limiter(ridge - 0.5), Resource::wire);
            }
}

}   // namespace
}   // namespace oscar::roofline_test
