// The protocol of the command `live`.
#include "sim/commands/live.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/config/error.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::live_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* two_layers = R"({"layers": [{"name": "a", "shape": [2, 3]}, {"name": "b", "shape": [2]}]})";

/// What the command writes for this input.
std::string served(const std::string& input) {
    const testing::TemporaryFolder folder;
    std::istringstream in(input);
    std::ostringstream out;
    serve_training({folder.write("exp.yaml", "ranks: 2\nmethods: [fp32]\n").string(), {}}, in, out);
    return out.str();
}

std::string error_of(const std::string& input) {
    try {
        served(input);
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

std::string bytes_of(const std::vector<float>& values) {
    return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

TEST(Live, AnswersEachRequestInTurnAndEndsWithTheInput) {
    const std::vector<float> first{1, 2, 3, 4, 5, 6, 7, 8}, second{3, 2, 1, 0, 5, 8, 7, 6};
    const std::string output = served(std::string(two_layers) + "\n{\"step\": {}}\n" + bytes_of(first) +
                                      bytes_of(second) + "{\"end_epoch\": 0.1}\n");
    std::istringstream answers(output);
    std::string line;
    std::getline(answers, line);
    EXPECT_EQ(line, R"({"ranks":2,"values":8,"has_momentum":false})");
    std::getline(answers, line);
    const auto step = nlohmann::json::parse(line);
    EXPECT_EQ(step["payload_bytes"], 2 * 4 * 8);   // half of it each way, of both
    EXPECT_EQ(step["step_ps"], step["allreduce_ps"]);
    EXPECT_EQ(step["sums_match_reference"], true);
    std::string mean(4 * 8, ' ');
    answers.read(mean.data(), 4 * 8);
    EXPECT_EQ(mean, bytes_of({2, 2, 2, 2, 5, 7, 7, 7}));
    std::getline(answers, line);
    EXPECT_EQ(line, "{}");
    EXPECT_FALSE(std::getline(answers, line));
}

TEST(Live, WritesNothingForAnEmptyInput) { EXPECT_EQ(served(""), ""); }

TEST(Live, TellsWhatIsNoRequest) {
    EXPECT_THAT(error_of("layers\n"), HasSubstr(R"(live: no request: layers; write an object of one key)"));
    EXPECT_THAT(error_of("{}\n"), HasSubstr("live: no request: {}"));
    for (const char* none : {R"({"step": {}})", R"({"layers": []})", R"({"layers": 3})"})
        EXPECT_THAT(error_of(std::string(none) + "\n"), HasSubstr("live: the first request names the layers")) << none;
    for (const char* none :
         {R"({"name": "a"})", R"({"name": "a", "shape": [0]})", R"({"shape": [1]})", R"({"name": "a", "shape": [-1]})",
          R"({"name": "a", "shape": [2.5]})", R"({"name": "a", "shape": [4294967296, 4294967296]})",
          R"({"name": 1, "shape": [1]})", R"({"name": "a", "shape": [1], "more": 2})"})
        EXPECT_THAT(error_of(R"({"layers": [{"name": "b", "shape": [2]}, )" + std::string(none) + "]}\n"),
                    HasSubstr("live: layer 1 {"))
            << none;
}

TEST(Live, TellsARequestThatItDoesNotKnow) {
    for (const char* none : {R"({"stop":1})", R"({"step":{"a":1}})", R"({"end_epoch":-1})", R"({"end_epoch":"x"})"})
        EXPECT_THAT(error_of(std::string(two_layers) + "\n" + none + "\n"),
                    HasSubstr("live: no such request: " + std::string(none) + "; known: {\"step\": {}}"));
}

TEST(Live, TellsAnInputThatEndsWithinAStep) {
    EXPECT_THAT(error_of(std::string(two_layers) + "\n{\"step\": {}}\n" + bytes_of({1, 2})),
                HasSubstr("live: the input ends within the gradients of a step, which are 2 ranks of 8 values"));
}

}   // namespace
}   // namespace oscar::live_test
