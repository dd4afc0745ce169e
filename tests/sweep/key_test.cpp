#include "sim/sweep/key.hpp"

#include <gmock/gmock.h>

namespace oscar::key_test {
namespace {

const std::string program = "0.1.0+abc", trace = "1dc30bec8acde1b5";

std::string key(const Parameters& parameters) { return point_key(program, parameters, trace); }

TEST(PointKey, ChangesWithProgramConfigurationTraceAndSeed) {
    const Parameters p;
    Parameters other_config = p, other_seed = p;
    other_config.network.link.bandwidth = Bandwidth{399'999};
    other_seed.seed = 2;
    const std::string original = key(p);
    EXPECT_NE(point_key("0.1.0+abd", p, trace), original);
    EXPECT_NE(key(other_config), original);
    EXPECT_NE(point_key(program, p, "1dc30bec8acde1b6"), original);
    EXPECT_NE(key(other_seed), original);
}

TEST(PointKey, DoesNotChangeWithWhereTheTraceLiesNorWithTheName) {
    const Parameters p;
    Parameters moved = p;
    moved.trace = "/elsewhere/trace";
    moved.experiment = "other";
    EXPECT_EQ(key(moved), key(p));
}

TEST(PointKey, TellsWhichPartIsWhich) {
    const Parameters p;
    EXPECT_NE(point_key("a", p, "b"), point_key("b", p, "a"));
    EXPECT_NE(point_key("ab", p, "c"), point_key("a", p, "bc"));
}

TEST(PointKey, Is128BitsInHexadecimalDigits) { EXPECT_THAT(key({}), ::testing::MatchesRegex("[0-9a-f]{32}")); }

TEST(ProgramIdentity, IsTheVersionAndTheHashOfTheSources) {
    EXPECT_THAT(std::string(source_hash), ::testing::MatchesRegex("[0-9a-f]{64}"));
    EXPECT_EQ(program_identity(), "0.1.0+" + std::string(source_hash.substr(0, 16)));
}

}   // namespace
}   // namespace oscar::key_test
