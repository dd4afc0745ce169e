#include "sim/describe/echo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/config/sample.hpp"
#include "tests/core/random.hpp"

namespace oscar::echo_test {
namespace {

using sample::Asc;
using sample::Experiment;
using sample::parse;
using testing::random_magnitude;

Experiment read_back(const Experiment& experiment) {
    return read_params<Experiment>(parse_config(to_json(experiment).dump(2), "echo.json"));
}

TEST(Echo, WritesEveryValueAsTheConfigurationWould) {
    const Experiment e = parse("{codec: raw, methods: [{kind: asc, name: mine}], limit: null, issue: lock_step}");
    EXPECT_EQ(to_json(e).dump(),
              R"({"experiment":"demo","ranks":8,"seed":1,"offset":0,"clock":"1GHz","issue":"lock_step",)"
              R"("network":{"link":{"bandwidth":"400Gbps","propagation":"500ns","buffer":"64KiB"},"trim":false},)"
              R"("codec":{"kind":"raw"},"methods":[{"kind":"asc","lanes":64,"decay":0.5,"name":"mine"}],)"
              R"("weights":[0.25,0.75],"links":[],"limit":null})");
}

TEST(Echo, OfNoParametersIsAnEmptyObject) { EXPECT_EQ(to_json(sample::Raw{}).dump(), "{}"); }

TEST(Echo, KeepsTextsThatLookLikeSomethingElse) {
    for (const char* text :
         {"", "null", "~", "true", "1", "a: b", "# c", "\"quoted\"", "two\nlines", "tab\t", "ü 😀", "\\", "- x"}) {
        Experiment e;
        e.experiment = text;
        EXPECT_EQ(read_back(e).experiment, text);
    }
}

TEST(Echo, KeepsTheEndsOfNumbers) {
    Experiment e;
    e.seed = std::numeric_limits<std::uint64_t>::max();
    e.weights = {std::numeric_limits<double>::max(), std::numeric_limits<double>::min(), -0.0, 0.1, 1.0 / 3};
    EXPECT_EQ(read_back(e).seed, e.seed);
    EXPECT_EQ(read_back(e).weights, e.weights);
}

double random_double(std::mt19937_64& random) {
    return std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), static_cast<int>(random() % 600) - 300);
}

Experiment random_experiment(std::mt19937_64& random) {
    Experiment e;
    e.ranks = static_cast<std::uint32_t>(2 + random() % 4095);
    e.seed = random_magnitude(random, 64);
    e.offset = static_cast<int>(random() % 256) - 128;
    e.clock = {1'000 + random_magnitude(random, 23)};
    e.issue = static_cast<sample::Issue>(random() % 2);
    e.network.trim = random() % 2 == 0;
    e.network.link.bandwidth = {1'000 + random_magnitude(random, 23)};
    if (random() % 2 == 0) e.codec = Asc{static_cast<std::uint32_t>(1 + random() % 1024), 0.75};
    else e.codec.params.emplace<2>();
    e.methods.resize(random() % 4, sample::Method{"mine", Asc{.decay = static_cast<double>(random() % 1000) / 999}});
    for (double& weight : e.weights) weight = random_double(random);
    e.links.resize(
        random() % 3,
        {{5'000}, {static_cast<std::int64_t>(random_magnitude(random, 58))}, {random_magnitude(random, 58)}});
    if (random() % 2 == 0) e.limit.reset();
    return e;
}

TEST(Echo, IsReadBackAsTheSameParameters) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 300; ++i) {
        const Experiment e = random_experiment(random);
        const Experiment again = read_back(e);
        ASSERT_EQ(again, e) << to_json(e).dump();
        ASSERT_EQ(again.network, e.network);   // and not only by the echo's own word
        ASSERT_EQ(again.weights, e.weights);
        ASSERT_EQ(again.links, e.links);
        ASSERT_EQ(again.methods, e.methods);
        ASSERT_EQ(again.codec.params, e.codec.params);
    }
}

}   // namespace
}   // namespace oscar::echo_test
