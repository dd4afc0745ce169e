// The entry of a configuration that a problem names.
#include "sim/checks/places.hpp"

#include <gtest/gtest.h>

#include "sim/config/load.hpp"

namespace oscar::places_test {
namespace {

std::string error_of(const std::string& problem) {
    try {
        fail_with(parse_config("collective: {kind: ring_2d, rows: 3}\n", "w.yaml").child("collective"), problem);
    } catch (const ConfigError& error) {
        return error.what();
    }
}

TEST(Places, AreThoseOfTheKeyThatAProblemBeginsWith) {
    EXPECT_EQ(error_of("rows: 3 do not divide 8 ranks; choose a divisor"),
              "w.yaml:1:35: collective.rows: 3 do not divide 8 ranks; choose a divisor");
    EXPECT_EQ(error_of("in_flight: leave it at 0"), "w.yaml:1:13: collective.in_flight: leave it at 0") << "missing";
}

TEST(Places, AreTheWholeWhereAProblemBeginsWithNoKey) {
    for (const std::string problem : {"flow 3: ranks 1 and 9 must be two of 0 to 7", "its steps do not sum: rank 1",
                                      "step:one", ": nothing", "rows", ""})
        EXPECT_EQ(error_of(problem), "w.yaml:1:13: collective: " + problem);
}

}   // namespace
}   // namespace oscar::places_test
