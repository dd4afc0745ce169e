// coder_fuzz [ROUNDS [FIRST_SEED]]: so many rounds (default a million), to be built with sanitizers (preset nightly).
// One core: a million take half an hour.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/codec/fuzz/coder_fuzz.hpp"

int main(int count, char** arguments) {
    const std::uint64_t rounds = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1'000'000;
    const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
    for (std::uint64_t seed = first; seed < first + rounds; ++seed) try {
            oscar::test::fuzz_coder(seed);
            if ((seed - first + 1) % 100'000 == 0) std::printf("%lu rounds\n", seed - first + 1), std::fflush(stdout);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "%s\n", error.what());
            return 1;
        }
    std::printf("coder_fuzz: %lu rounds from seed %lu, nothing found\n", rounds, first);
    return 0;
}
