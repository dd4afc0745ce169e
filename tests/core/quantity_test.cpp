#include "models/core/quantity.hpp"

#include <gtest/gtest.h>

#include "tests/core/random.hpp"

namespace oscar::quantity_test {
namespace {

using namespace literals;

template <class Parse>
std::string error_of(Parse parse, std::string_view text) {
    try {
        parse(text);
    } catch (const BadQuantity& error) {
        return error.what();
    }
    return "no error";
}

TEST(ParseQuantity, KnowsTheUnitsOfEachQuantity) {
    EXPECT_EQ(parse_time("7ps"), 7_ps);
    EXPECT_EQ(parse_time("7ns"), 7_ns);
    EXPECT_EQ(parse_time("7us"), 7_us);
    EXPECT_EQ(parse_time("7ms"), 7_ms);
    EXPECT_EQ(parse_time("7s"), 7'000_ms);
    EXPECT_EQ(parse_bytes("7B"), 7_B);
    EXPECT_EQ(parse_bytes("7KB"), 7'000_B);
    EXPECT_EQ(parse_bytes("7KiB"), 7_KiB);
    EXPECT_EQ(parse_bytes("7GB"), 7'000'000'000_B);
    EXPECT_EQ(parse_bytes("7GiB"), 7_GiB);
    EXPECT_EQ(parse_bandwidth("400Gbps"), 400_Gbps);
    EXPECT_EQ(parse_bandwidth("1Tbps"), 1'000_Gbps);
    EXPECT_EQ(parse_bandwidth("50GBps"), 400_Gbps);   // a byte is eight bits
    EXPECT_EQ(parse_bandwidth("50GB/s"), 400_Gbps);
    EXPECT_EQ(parse_bandwidth("400Gbit/s"), 400_Gbps);
    EXPECT_EQ(parse_bandwidth("7Mbit/s"), 7_Mbps);
    EXPECT_EQ(parse_bandwidth("2Tbit/s"), 2'000_Gbps);
    EXPECT_EQ(parse_frequency("3kHz"), Frequency{3});
    EXPECT_EQ(parse_frequency("1GHz"), 1_GHz);
}

TEST(ParseQuantity, TakesFractionsThatAreWholeInTheSmallestUnit) {
    EXPECT_EQ(parse_frequency("1.41GHz"), 1'410_MHz);
    EXPECT_EQ(parse_time("0.5ns"), 500_ps);
    EXPECT_EQ(parse_bytes("1.5KiB"), 1'536_B);
    EXPECT_EQ(error_of(parse_time, "0.5ps"), "'0.5ps' is finer than 1 ps; write it like 500ns");
}

TEST(ParseQuantity, TakesEitherLetterForMicro) {
    EXPECT_EQ(parse_time("7\u00b5s"), 7_us);   // the micro sign
    EXPECT_EQ(parse_time("7\u03bcs"), 7_us);   // the Greek letter
    EXPECT_NE(error_of(parse_bytes, "7\u00b5s"), "no error");
}

TEST(ParseQuantity, TakesExponents) {
    EXPECT_EQ(parse_time("1e3ns"), 1_us);
    EXPECT_EQ(parse_time("1.5E-3us"), 1'500_ps);
    EXPECT_EQ(parse_bytes("25e+6B"), 25'000'000_B);
    EXPECT_EQ(parse_bandwidth("4e2 Gbps"), 400_Gbps);
    EXPECT_EQ(parse_bytes("0e99B"), 0_B);
    EXPECT_EQ(parse_time("100e-2ns"), 1_ns);
    EXPECT_EQ(error_of(parse_time, "1e-1ps"), "'1e-1ps' is finer than 1 ps; write it like 500ns");
    EXPECT_EQ(error_of(parse_time, "1e-4000ps"), "'1e-4000ps' is finer than 1 ps; write it like 500ns");
    EXPECT_EQ(error_of(parse_time, "1e4000ps"), "'1e4000ps' is too large; write it like 500ns");
    EXPECT_EQ(error_of(parse_bytes, "999999999999999999e30GiB"),
              "'999999999999999999e30GiB' is too large; write it like 64KiB");
}

TEST(ParseCount, TakesWholeNumbersWithAnExponent) {
    EXPECT_EQ(parse_count("25e6"), 25'000'000u);
    EXPECT_EQ(parse_count("2.5E1"), 25u);
    for (const char* text : {"", "e", "25", "25e6B", "2.55e1", "1e18", "-1e3", "1e", "1e3 "})
        EXPECT_EQ(parse_count(text), std::nullopt) << text;
}

TEST(ParseQuantity, TakesSpacesBetweenNumberAndUnit) { EXPECT_EQ(parse_time("500 ns"), 500_ns); }

TEST(ParseQuantity, RefusesABareNumberAndShowsHowToWriteIt) {
    EXPECT_EQ(error_of(parse_bandwidth, "400"),
              "'400' lacks its unit (Mbps Gbps Tbps Mbit/s Gbit/s Tbit/s MBps GBps MB/s GB/s); write it like 400Gbps");
    EXPECT_EQ(error_of(parse_time, "0"), "'0' lacks its unit (ps ns us ms s); write it like 500ns");
}

TEST(ParseQuantity, RefusesUnknownUnitsAndTheWrongCase) {
    EXPECT_EQ(error_of(parse_frequency, "1Ghz"),
              "'1Ghz' has an unknown unit (did you mean 1GHz?); known: kHz MHz GHz; write it like 1GHz");
    EXPECT_NE(error_of(parse_bytes, "1ns"), "no error");
    EXPECT_NE(error_of(parse_time, "1ns x"), "no error");
}

TEST(ParseQuantity, SuggestsTheUnitInItsCaseButNeverBytesForBits) {
    const auto meant = [](const std::string& error) {
        const std::size_t at = error.find("(did you mean ");
        return at == std::string::npos ? "" : error.substr(at + 14, error.find('?') - at - 14);
    };
    EXPECT_EQ(meant(error_of(parse_bandwidth, "50gbps")), "50Gbps");
    EXPECT_EQ(meant(error_of(parse_bandwidth, "1.5e2 GBPS")), "1.5e2 GBps");
    EXPECT_EQ(meant(error_of(parse_bandwidth, "50gbit/s")), "50Gbit/s");
    EXPECT_EQ(meant(error_of(parse_bandwidth, "50Gb/s")), "");   // GB/s would be eight times as much
    EXPECT_EQ(meant(error_of(parse_bytes, "64kib")), "64KiB");
    EXPECT_EQ(meant(error_of(parse_bytes, "64kb")), "64KB");
    EXPECT_EQ(meant(error_of(parse_time, "5US")), "5us");
    EXPECT_EQ(meant(error_of(parse_time, "5 sec")), "");
}

TEST(ParseQuantity, NamesAComma) {
    EXPECT_EQ(
        error_of(parse_bandwidth, "1,5Gbps"),
        "'1,5Gbps' has a comma in its number, which takes a decimal point and no marks of thousands; write it like "
        "400Gbps");
    EXPECT_NE(error_of(parse_bytes, "1,000B").find("has a comma in its number"), std::string::npos);
    EXPECT_NE(error_of(parse_time, "5,ns").find("has a comma"), std::string::npos);
}

TEST(ParseQuantity, RefusesWhatIsNoNumber) {
    for (const char* text : {"", "ns", "-5ns", "+5ns", ".", ".ns", " 5ns", "e3ns", "1ens", "1e ns", "1e+ns", "1e3",
                             "5,0ns", "0x10ns", "1.2.3ns", "nan", "inf"})
        EXPECT_NE(error_of(parse_time, text), "no error") << text;
    EXPECT_EQ(error_of(parse_time, "-5ns"), "'-5ns' is no quantity; write it like 500ns");
}

TEST(ParseQuantity, RefusesWhatIsTooLarge) {
    EXPECT_EQ(error_of(parse_time, "999999999999s"), "'999999999999s' is too large; write it like 500ns");
    EXPECT_NE(error_of(parse_bytes, "99999999999999999999999B"), "no error");
}

TEST(ParseQuantity, TakesZeroTimesAndSizesButNoZeroRates) {
    EXPECT_EQ(parse_time("0ns"), 0_ps);
    EXPECT_EQ(parse_bytes("0B"), 0_B);
    EXPECT_EQ(error_of(parse_bandwidth, "0Gbps"), "'0Gbps' must be greater than zero; write it like 400Gbps");
    EXPECT_EQ(error_of(parse_frequency, "0GHz"), "'0GHz' must be greater than zero; write it like 1GHz");
}

TEST(ToText, UsesTheLargestUnitThatIsExact) {
    EXPECT_EQ(to_text(500_ns), "500ns");
    EXPECT_EQ(to_text(1'500_ns), "1500ns");
    EXPECT_EQ(to_text(0_ps), "0ps");
    EXPECT_EQ(to_text(64_KiB), "64KiB");
    EXPECT_EQ(to_text(1'000_B), "1000B");
    EXPECT_EQ(to_text(10'000_Gbps), "10Tbps");
    EXPECT_EQ(to_text(1'410_MHz), "1410MHz");
}

TEST(ToText, IsReadBackAsTheSameQuantity) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t n = testing::random_magnitude(random, 58);   // the parser's limit is 2^63 / 16 = 2^59
        ASSERT_EQ(parse_time(to_text(Time{static_cast<std::int64_t>(n)})).ps, static_cast<std::int64_t>(n));
        ASSERT_EQ(parse_bytes(to_text(Bytes{n})).count, n);
        ASSERT_EQ(parse_bandwidth(to_text(Bandwidth{n + 1})).mbps, n + 1);
        ASSERT_EQ(parse_frequency(to_text(Frequency{n + 1})).khz, n + 1);
    }
}

}   // namespace
}   // namespace oscar::quantity_test
