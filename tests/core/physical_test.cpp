#include "models/core/physical.hpp"

#include <gtest/gtest.h>

#include "models/core/quantity.hpp"
#include "tests/core/random.hpp"

namespace oscar::physical_test {
namespace {

template <class Parse>
std::string error_of(Parse parse, std::string_view text) {
    try {
        parse(text);
    } catch (const BadQuantity& error) {
        return error.what();
    }
    return "no error";
}

TEST(ParsePhysical, KnowsTheUnitsOfEachQuantity) {
    EXPECT_EQ(parse_area("2500nm2").um2, 0.0025);
    EXPECT_EQ(parse_area("775um2").um2, 775);
    EXPECT_EQ(parse_area("0.5mm2").um2, 500'000);
    EXPECT_EQ(parse_energy("7aJ").pj, 7e-6);
    EXPECT_EQ(parse_energy("870fJ").pj, 0.87);
    EXPECT_EQ(parse_energy("0.87pJ").pj, 0.87);
    EXPECT_EQ(parse_energy("2nJ").pj, 2e3);
    EXPECT_EQ(parse_energy("2uJ").pj, 2e6);
    EXPECT_EQ(parse_energy("2mJ").pj, 2e9);
    EXPECT_EQ(parse_energy("2J").pj, 2e12);
    EXPECT_EQ(parse_power("30pW").uw, 3e-5);
    EXPECT_EQ(parse_power("1nW").uw, 1e-3);
    EXPECT_EQ(parse_power("3.1uW").uw, 3.1);
    EXPECT_EQ(parse_power("4mW").uw, 4e3);
    EXPECT_EQ(parse_power("1W").uw, 1e6);
    EXPECT_EQ(parse_energy_per_bit("40aJ/bit").pj, 4e-5);
    EXPECT_EQ(parse_energy_per_bit("10fJ/bit").pj, 0.01);
    EXPECT_EQ(parse_energy_per_bit("5.5pJ/bit").pj, 5.5);
    EXPECT_EQ(parse_energy_per_bit("1nJ/bit").pj, 1e3);
}

TEST(ParsePhysical, TakesZeroAndAsManyDigitsAsAMeasurementHas) {
    EXPECT_EQ(parse_energy("0pJ").pj, 0);
    EXPECT_EQ(parse_area("9812.3456nm2").um2, 9812.3456e-6);   // finer than the smallest unit
    EXPECT_EQ(parse_power("1.5e-3 uW").uw, 1.5e-3);
}

TEST(ParsePhysical, RefusesWhatIsNoFigureOfItsKindAndSaysHowToWriteIt) {
    EXPECT_EQ(error_of(parse_area, "-5um2"), "'-5um2' is no quantity; write it like 775um2");
    EXPECT_EQ(error_of(parse_energy, "0.87"), "'0.87' lacks its unit (aJ fJ pJ nJ uJ mJ J); write it like 0.87pJ");
    EXPECT_EQ(error_of(parse_energy, "0.87PJ"),
              "'0.87PJ' has an unknown unit (did you mean 0.87pJ?); known: aJ fJ pJ nJ uJ mJ J; write it like 0.87pJ");
    EXPECT_EQ(error_of(parse_energy_per_bit, "5pJ"),
              "'5pJ' has an unknown unit; known: aJ/bit fJ/bit pJ/bit nJ/bit; write it like 5.5pJ/bit");
    EXPECT_EQ(error_of(parse_power, "1e30W"), "'1e30W' is out of range; write it like 3.1uW");
}

TEST(PhysicalText, ReadsBackAsTheSameNumber) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 1000; ++i) {
        const double figure = static_cast<double>(testing::random_magnitude(random, 53)) * 1e-9;
        EXPECT_EQ(parse_area(to_text(Area{figure})).um2, figure);
        EXPECT_EQ(parse_energy(to_text(Energy{figure})).pj, figure);
        EXPECT_EQ(parse_power(to_text(Power{figure})).uw, figure);
        EXPECT_EQ(parse_energy_per_bit(to_text(EnergyPerBit{figure})).pj, figure);
    }
}

}   // namespace
}   // namespace oscar::physical_test
