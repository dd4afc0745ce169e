// A few hundred rounds; scripts/fuzz runs more under the sanitizers.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/codec/fuzz/coder_fuzz.hpp"

namespace oscar::coder_fuzz_test {
namespace {

TEST(CoderFuzz, FindsNothingInAFewHundredRounds) {
    const char* wanted = std::getenv("OSCAR_FUZZ_ROUNDS");
    const std::uint64_t rounds = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 500;
    for (std::uint64_t seed = 1; seed <= rounds; ++seed) ASSERT_NO_THROW(test::fuzz_coder(seed)) << seed;
}

}   // namespace
}   // namespace oscar::coder_fuzz_test
