// Predictions of sizes whose products of bytes and picoseconds leave 64 bits.
#include <gtest/gtest.h>

#include "models/predict/predictors.hpp"

namespace oscar::sizes_test {
namespace {

const Schedule& ring_of_8() {
    static const Schedule schedule = make_schedule(RingParams{}, 8);
    return schedule;
}

/// Default parameters; where bytes cost nothing by default, 20 ps each, as at 400 Gbit/s.
template <class P>
P with_bandwidth() {
    P params;
    if constexpr (requires { params.gap_per_byte; }) params.gap_per_byte = 20_ps;
    return params;
}

template <class P>
Time time_of(Bytes size) {
    return fastest(predictions(with_bandwidth<P>(), {ring_of_8(), size})).time;
}

constexpr Bytes large_sizes[] = {128_GiB, 256_GiB, 512_GiB, 1024_GiB, 4096_GiB, 16384_GiB};

TEST(Predictors, GrowInProportionToTheSizeUpTo16TiB) {
    for_each_kind(predictors, [&]<class P>(const Kind<P>& kind) {
        // time = fixed + slope * size; the slope is that between 64 and 128 GiB. Whole nanoseconds and picoseconds.
        const auto slope =
            static_cast<double>((time_of<P>(128_GiB) - time_of<P>(64_GiB)).ps) / static_cast<double>((64_GiB).count);
        for (const Bytes size : large_sizes) {
            const auto increase = static_cast<double>((time_of<P>(size) - time_of<P>(64_GiB)).ps);
            const double expected = slope * static_cast<double>((size - 64_GiB).count);
            EXPECT_NEAR(increase / expected, 1, 1e-6) << kind.name << ", " << size.count << " bytes";
        }
    });
}

TEST(Predictors, AreMonotoneInSizeUpTo16TiB) {
    for_each_kind(predictors, [&]<class P>(const Kind<P>& kind) {
        for (std::uint64_t size = 1; size < (16384_GiB).count; size *= 2)
            EXPECT_LE(time_of<P>({size}), time_of<P>({2 * size})) << kind.name << ", " << size << " bytes";
    });
}

TEST(Predictors, RefuseASizeWhoseTimeExceeds106Days) {
    // 512 PiB = 2^59 bytes are 5.8e17: 133 days over 400 Gbit/s alone
    for_each_kind(predictors, [&]<class P>(const Kind<P>& kind) {
        EXPECT_THROW(time_of<P>({std::uint64_t{1} << 59}), OutOfRange) << kind.name;
    });
}

TEST(Predictors, OfNcclTake9Point62SecondsForATebibyte) {
    // ring/Simple: 8.4 us + 14 * 3.4 us; 2 * 7/8 * 2^40 bytes at 1600 Gbit/s, which is 5 ps a byte
    const auto all = predictions(NcclParams{}, 8, 1024_GiB);
    EXPECT_EQ(fastest(all).name, "ring/Simple");
    EXPECT_EQ(fastest(all).time.ps, 56'000'000 + (std::int64_t{7} << 38) * 5);
    EXPECT_NEAR(static_cast<double>(fastest(all).time.ps) * 1e-12, 9.62, 0.005);
}

TEST(Predictors, OfTheAnalyticalNetworkAreExactForATebibyte) {
    // Chunks of 2^37 bytes. A hop: floor(500 + 2^37 / 53.687 B/ns) = 500 + 2.56e9 ns; an addition reads and writes
    // 3 floor(2^37 / 50) = 3 * 2748779069 ns; 15 delays of 10 ns.
    EXPECT_EQ(time_of<AnalyticalParams>(1024_GiB), (14 * 2'560'000'500 + 7 * 3 * 2'748'779'069 + 150) * 1_ns);
}

TEST(Predictors, OfLogGopAreExactForATebibyte) {
    // 14 messages of o + L + o and 2^37 - 1 gaps of 20 ps
    EXPECT_EQ(time_of<LogGopParams>(1024_GiB), 14 * (5500_ns + ((std::int64_t{1} << 37) - 1) * 20_ps));
}

TEST(Predictors, OfTheLineAreExactFor16TiB) {
    EXPECT_EQ(time_of<LineParams>(16384_GiB), (std::int64_t{1} << 44) * 20_ps);   // 400 Gbit/s
}

TEST(Predictors, OfATreeAreExactFor16TiB) {
    NcclParams params;
    params.ranks_per_node = 4;
    for (const Predicted& candidate : predictions(params, 8, 16384_GiB))
        if (candidate.name == "tree/LL") {   // 2 * 2^44 / 0.9 bytes, rounded up, four times: LL has a flag per datum
            EXPECT_EQ(candidate.line->carried.count, 4 * (((std::uint64_t{1} << 44) * 20 + 8) / 9));
        }
}

}   // namespace
}   // namespace oscar::sizes_test
