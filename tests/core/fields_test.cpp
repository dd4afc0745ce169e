#include "models/core/fields.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "models/core/kinds.hpp"

namespace oscar::fields_test {
namespace {

enum class Issue : std::uint8_t { lock_step, dependency };
constexpr auto choices(Issue) {
    return std::array{Choice{"lock_step", Issue::lock_step, "all ranks wait for the slowest"},
                      Choice{"dependency", Issue::dependency, "a step starts when its inputs are there"}};
}

struct Plain {
    static constexpr auto fields() { return Entries{}; }
};

struct Wide {
    std::uint32_t lanes = 64;
    Issue issue = Issue::dependency;
    static constexpr auto fields() {
        return Entries{
            field("lanes", &Wide::lanes, "symbols in one cycle", 1, 1024),
            per_rank(field("issue", &Wide::issue, "when a step starts")),
        };
    }
};

constexpr auto engines = Entries{kind<Plain>("plain", "nothing to choose"), kind<Wide>("wide", "many lanes"),
                                 kind<Plain>("bare", "shares its parameters with plain")};

TEST(Fields, TellOfWhichEachRankMayHaveItsOwn) {
    std::string keys;
    for_each_field<Wide>([&](const auto& field) {
        if (field.per_rank) keys += std::string(field.key);
    });
    EXPECT_EQ(keys, "issue");
}

TEST(Fields, AreWalkedInTheOrderOfTheTable) {
    std::string keys;
    for_each_field<Wide>([&](const auto& field) { keys += std::string(field.key) + " "; });
    EXPECT_EQ(keys, "lanes issue ");
}

TEST(Fields, HaveARangeOnlyIfTheyDeclareIt) {
    constexpr auto lanes = get<0>(Wide::fields());
    constexpr auto issue = get<1>(Wide::fields());
    EXPECT_TRUE(lanes.bounded);
    EXPECT_EQ(lanes.min, 1U);
    EXPECT_EQ(lanes.max, 1024U);
    EXPECT_FALSE(issue.bounded);
    EXPECT_EQ(Wide{}.*(lanes.member), 64U);
}

TEST(Fields, MakeAParameterSetOfAnAggregateOnly) {
    static_assert(FieldTable<Wide> && FieldTable<Plain>);
    static_assert(!FieldTable<int> && !FieldTable<std::string> && !FieldTable<Issue>);
}

TEST(Choices, AreWrittenAsTheirText) {
    static_assert(ChoiceEnum<Issue> && !ChoiceEnum<int>);
    EXPECT_EQ(to_text(Issue::lock_step), "lock_step");
    EXPECT_EQ(to_text(static_cast<Issue>(7)), "?");
}

TEST(Kinds, HoldTheFirstOfTheListByDefault) {
    const OneOf<engines> engine;
    EXPECT_EQ(engine.name(), "plain");
}

TEST(Kinds, AreNamedAfterTheParametersTheyHold) {
    OneOf<engines> engine = Wide{.lanes = 8};
    EXPECT_EQ(engine.name(), "wide");
    EXPECT_EQ(std::get<Wide>(engine.params).lanes, 8U);
    engine.params.emplace<2>();   // two kinds may share a parameter type: the position tells them apart
    EXPECT_EQ(engine.name(), "bare");
}

TEST(Kinds, AreWalkedInTheOrderOfTheList) {
    std::string names;
    for_each_kind(engines, [&](const auto& kind) { names += std::string(kind.name) + " "; });
    EXPECT_EQ(names, "plain wide bare ");
}

}   // namespace
}   // namespace oscar::fields_test
