// The changes by which the fuzzer of reports gets behind the parser.
#include "tests/compare/fuzz/json_mutator.hpp"

#include <gtest/gtest.h>

#include <set>

namespace oscar::json_mutator_test {
namespace {

TEST(JsonMutator, LeavesJsonOfOtherTypesPlacesAndSizes) {
    const std::string text = R"({"methods":[{"name":"fp32","allreduce_ps":5}],"config":{}})";
    std::set<std::string> changed, types_of_methods;
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        const auto one = test::JsonMutator(seed).changed(text);
        ASSERT_TRUE(one);
        const auto document = parse_json(*one);   // BadJson fails the test
        changed.insert(*one);
        if (document.is_object() && document.contains("methods"))
            types_of_methods.insert(document["methods"].type_name());
    }
    EXPECT_GT(changed.size(), 150u);   // of 500, though the document has six values only
    EXPECT_EQ(types_of_methods, (std::set<std::string>{"array", "boolean", "null", "number", "object", "string"}));
}

TEST(JsonMutator, IsTheSameForASeedAndRefusesWhatIsNoJson) {
    EXPECT_EQ(test::JsonMutator(7).changed("[1, [2]]"), test::JsonMutator(7).changed("[1, [2]]"));
    EXPECT_EQ(test::JsonMutator(7).changed("[1, "), std::nullopt);
    EXPECT_EQ(test::JsonMutator(7).changed(std::string(1000, '[')), std::nullopt);
}

}   // namespace
}   // namespace oscar::json_mutator_test
