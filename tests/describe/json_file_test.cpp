#include "sim/describe/json_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <string>

#include "tests/trace/trace_folder.hpp"

namespace oscar::json_file_test {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view text, const JsonLimits& limits = {}) {
    try {
        parse_json(text, limits);
    } catch (const BadJson& error) {
        return error.what();
    }
    return "none";
}

std::string nested(std::size_t levels, const char* opening, const char* closing) {
    std::string text;
    for (std::size_t i = 0; i < levels; ++i) text += opening;
    for (std::size_t i = 0; i < levels; ++i) text += closing;
    return text;
}

TEST(JsonFile, KeepsTheOrderOfItsKeys) {
    EXPECT_EQ(parse_json(R"({"b": [1, 2.5, null], "a": {"c": "x"}})").dump(), R"({"b":[1,2.5,null],"a":{"c":"x"}})");
}

TEST(JsonFile, NamesLineAndColumnOfWhatIsNoJson) {
    EXPECT_EQ(problem("{\"a\": 1,\n  x}"), ":2:3: is no JSON");
    EXPECT_EQ(problem(""), ":1:1: is no JSON");
    EXPECT_EQ(problem("[NaN]"), ":1:2: is no JSON");
    EXPECT_EQ(problem("[\"\xff\"]"), ":1:3: is no JSON");   // no UTF-8
    EXPECT_EQ(problem("[1e999]"), ": holds a number beyond the range of double precision");
}

TEST(JsonFile, IsNestedSoManyLevelsAndNoMore) {
    const std::size_t most = JsonLimits().depth;
    EXPECT_EQ(problem(nested(most, "[", "]")), "none");
    for (const std::size_t depth : {most + 1, std::size_t{20'000}, std::size_t{200'000}, std::size_t{5'000'000}}) {
        EXPECT_EQ(problem(nested(depth, "[", "]")), ": is nested more than 100 levels deep") << depth;
        EXPECT_EQ(problem(nested(depth, "{\"a\":", "}")), ": is nested more than 100 levels deep") << depth;
    }
}

TEST(JsonFile, HasSoManyBytesValuesAndKeys) {
    EXPECT_EQ(problem("[1, 2, 3]", {.values = 4}), "none");   // the list is one, too
    EXPECT_EQ(problem("[1, 2, 3]", {.values = 3}), ": holds more than 3 values");
    EXPECT_EQ(problem(std::string((1 << 20) + 1, ' '), {.bytes = 1 << 20}),
              ": has more than 1 MiB, the most that is read");
    const std::string three_keys = R"({"a": 1, "b": 2, "c": 3})";   // 0 + 1 + 2 pairs
    EXPECT_EQ(problem(three_keys, {.pairs_of_keys = 3}), "none");
    EXPECT_EQ(problem("[" + three_keys + ", {\"a\": 1, \"b\": 2}]", {.pairs_of_keys = 3}),
              ": has maps of too many keys");
    EXPECT_EQ(problem("[" + three_keys + ", {\"a\": 1}]", {.pairs_of_keys = 3}), "none");   // counted map by map
}

TEST(JsonFile, IsAPlainFile) {
    const testing::TemporaryFolder folder;
    const auto refusal = [&](const std::filesystem::path& file) {
        return testing::error_of<InputError>(folder, [&] { read_json(file, "name another"); });
    };
    EXPECT_EQ(read_json(folder.write("good.json", "[1]"), "").dump(), "[1]");
    EXPECT_THAT(refusal(folder.path()), HasSubstr("is a folder; name another"));
    EXPECT_THAT(refusal(folder.path() / "none"), HasSubstr("no such file; name another"));
    EXPECT_THAT(refusal(folder.write("bad.json", "[")), HasSubstr("bad.json:1:2: is no JSON; name another"));
    ASSERT_EQ(::mkfifo((folder.path() / "pipe").c_str(), 0600), 0);
    EXPECT_THAT(refusal(folder.path() / "pipe"), HasSubstr("is a pipe or a device; name another"));
}

}   // namespace
}   // namespace oscar::json_file_test
