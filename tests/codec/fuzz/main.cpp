// coder_fuzz [SECONDS [FIRST_SEED]]: rounds for so long (default 600 s, one core: a third of a million), to be built
// with sanitizers (preset nightly). The error of a round names its seed.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "tests/codec/fuzz/coder_fuzz.hpp"

int main(int count, char** arguments) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 600);
    const std::uint64_t first = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
    std::uint64_t seed = first;
    try {
        for (; Clock::now() < end; ++seed) oscar::test::fuzz_coder(seed);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    std::printf("coder_fuzz: %lu rounds from seed %lu, nothing found\n", seed - first, first);
    return 0;
}
