// The best points of a sweep, from a database made by hand.
#include "sim/sweep/ranking.hpp"

#include <gmock/gmock.h>

#include "sim/config/error.hpp"
#include "sim/sweep/sweep_results.hpp"

namespace oscar::ranking_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Methods of points: position, method, time, error (a text where there is none).
SQLite::Database made(const std::string& rows) {
    SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec(
        "CREATE TABLE methods (position INTEGER, method TEXT, allreduce_ps, relative_l2_error, \"speedup.fp32\")");
    database.exec("INSERT INTO methods VALUES " + rows);
    return database;
}

const Objective time{"allreduce_ps", false}, error{"relative_l2_error", false}, speed_up{"speedup.fp32", true};

std::vector<std::string> names(const std::vector<RankedPoint>& points) {
    std::vector<std::string> result;
    for (const RankedPoint& point : points) result.push_back(std::to_string(point.position) + point.method);
    return result;
}

TEST(BestBy, OneFigureListsTheBestPointsOfAllMethods) {
    const auto database =
        made("(0, 'a', 30, 0.1, 1), (0, 'b', 20, 0.3, 1.5), (1, 'a', 10, 0.2, 1), (1, 'b', 20, 0.1, 0.5)");
    EXPECT_THAT(names(best_by(database, {time})), ElementsAre("1a", "0b", "1b", "0a"));
    EXPECT_THAT(names(best_by(database, {speed_up})), ElementsAre("0b", "0a", "1a", "1b"));
    EXPECT_EQ(best_by(database, {time}).front(), (RankedPoint{1, "a", {10}, 0.2}));
}

TEST(BestBy, OneFigureListsTenAtMost) {
    std::string rows = "(0, 'a', 0, 0, 0)";
    for (int i = 1; i < 30; ++i) rows += ", (" + std::to_string(i) + ", 'a', " + std::to_string(i) + ", 0, 0)";
    EXPECT_EQ(best_by(made(rows), {time}).size(), most_ranked);
}

TEST(BestBy, TwoFiguresListTheParetoFront) {
    const auto database = made(
        "(0, 'a', 10, 0.5, 0), (1, 'a', 20, 0.5, 0), (2, 'a', 20, 0.2, 0), (3, 'a', 30, 0.3, 0), "
        "(4, 'a', 40, 0.1, 0), (5, 'a', 10, 0.9, 0)");
    EXPECT_THAT(names(best_by(database, {time, error})), ElementsAre("0a", "2a", "4a"));
    EXPECT_THAT(names(best_by(database, {error, time})), ElementsAre("4a", "2a", "0a"));
}

TEST(BestBy, TwoFiguresKeepPointsThatAreEqualInBoth) {
    const auto database = made("(0, 'a', 10, 0.5, 0), (1, 'b', 10, 0.5, 0)");
    EXPECT_THAT(names(best_by(database, {time, error})), ElementsAre("0a", "1b"));
}

TEST(BestBy, FoldsEqualPointsOfAMethodIntoTheFirst) {
    const auto database = made(
        "(0, 'a', 10, 0.5, 1), (1, 'a', 10, 0.5, 1), (2, 'b', 10, 0.5, 1), (3, 'a', 10, 0.4, 1), (4, 'a', 20, 0.5, 1)");
    const auto points = best_by(database, {time});
    EXPECT_THAT(names(points), ElementsAre("0a", "2b", "3a", "4a"));   // another error is another figure
    EXPECT_EQ(points[0], (RankedPoint{0, "a", {10}, 0.5, 1}));
    EXPECT_EQ(points[1].equal, 0u);
    std::string rows = "(0, 'a', 5, 0, 0)";
    for (int i = 1; i < 30; ++i) rows += ", (" + std::to_string(i) + ", 'a', 5, 0, 0)";
    EXPECT_THAT(names(best_by(made(rows + ", (30, 'b', 6, 0, 0)"), {time})), ElementsAre("0a", "30b"));
}

TEST(BestBy, LeavesOutWhatMeetsNoConditionAndTheMethodsThatAreNamed) {
    const auto database = made(
        "(0, 'fp32', 90, 0, 1), (0, 'a', 10, 0.5, 9), (1, 'a', 20, 0.04, 4), (2, 'a', 30, 0.05, 3), (3, 'a', 5, NULL, "
        "18)");
    const Eligible within{{{"relative_l2_error", "<", 0.05}}, {}};
    EXPECT_THAT(names(best_by(database, {time}, within)), ElementsAre("1a", "0fp32"));
    EXPECT_THAT(names(best_by(database, {time}, {{{"relative_l2_error", "<=", 0.05}}, {}})),
                ElementsAre("1a", "2a", "0fp32"));
    EXPECT_THAT(names(best_by(database, {time, error})), ElementsAre("0a", "1a", "0fp32"));
    EXPECT_THAT(names(best_by(database, {time, error}, {{}, {"fp32"}})), ElementsAre("0a", "1a"));
    EXPECT_EQ(least_error(database, {}), 0.0);
    EXPECT_EQ(least_error(database, {{}, {"fp32"}}), 0.04);
    EXPECT_EQ(least_error(database, {{{"allreduce_ps", ">", 100}}, {}}), std::nullopt);
}

TEST(BestBy, TheLargestMayBeBest) {
    const auto database = made("(0, 'a', 10, 0.5, 2), (1, 'a', 20, 0.5, 3), (2, 'a', 20, 0.2, 1)");
    EXPECT_THAT(names(best_by(database, {time, speed_up})), ElementsAre("0a", "1a"));
}

TEST(BestBy, PointsWithoutAFigureDoNotCount) {
    const auto database = made("(0, 'a', NULL, 0.5, 0), (1, 'a', 20, NULL, 0), (2, 'a', 30, 0.1, 0)");
    EXPECT_THAT(names(best_by(database, {time})), ElementsAre("1a", "2a"));
    EXPECT_THAT(names(best_by(database, {time, error})), ElementsAre("2a"));
}

/// Of two methods, fp32 and asc.
SweepPlan plan_of_two() {
    SweepPlan plan;
    plan.methods = {"fp32", "asc"};
    return plan;
}

TEST(Conditions, AreAFigureAComparisonAndANumber) {
    const SweepPlan plan = plan_of_two();
    EXPECT_THAT(read_conditions({"relative_l2_error<0.05", "speedup.fp32 >= 2,cosine==1"}, plan),
                ElementsAre(Condition{"relative_l2_error", "<", 0.05}, Condition{"speedup.fp32", ">=", 2},
                            Condition{"cosine", "=", 1}));
    EXPECT_THAT(read_conditions({"allreduce_ps>1e6", "imbalance<=1.1"}, plan),
                ElementsAre(Condition{"allreduce_ps", ">", 1e6}, Condition{"imbalance", "<=", 1.1}));
}

TEST(Conditions, ThatAreNoneAreRefusedWithTheRemedy) {
    const SweepPlan plan = plan_of_two();
    const auto refusal = [&](const std::string& text) -> std::string {
        try {
            read_conditions({text}, plan);
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    };
    EXPECT_EQ(
        refusal("relative_l2_eror<0.05"),
        "--where relative_l2_eror: no such figure of a method (did you mean relative_l2_error?); oscar-sim describe "
        "report lists them");
    for (const char* bad : {"relative_l2_error", "<0.05", ""}) EXPECT_THAT(refusal(bad), HasSubstr("is no condition;"));
    for (const char* bad : {"cosine<", "cosine<half", "cosine<1e999", "cosine<nan", "cosine<>1"})
        EXPECT_THAT(refusal(bad), HasSubstr("is no number; write it like relative_l2_error<0.05")) << bad;
    EXPECT_THAT(refusal("cosine<==1"), HasSubstr("write one of < <= > >= ="));
}

class Objectives : public ::testing::Test {
protected:
    std::string error(const std::string& text) const {
        try {
            read_objectives(text, plan);
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    }
    SweepPlan plan = plan_of_two();
};

TEST_F(Objectives, OfABreakEvenAreBestWhereSmallest) { EXPECT_FALSE(largest_is_best("break_even_bandwidth_gbps")); }

TEST_F(Objectives, KnowWhetherMoreOrLessIsBetter) {
    const auto largest = [&](const std::string& text) { return read_objectives(text, plan).front().largest; };
    EXPECT_FALSE(largest("allreduce_ps"));
    EXPECT_FALSE(largest("relative_l2_error"));
    EXPECT_TRUE(largest("speedup.asc"));
    EXPECT_TRUE(largest("cosine"));
    EXPECT_TRUE(largest("max:allreduce_ps"));
    EXPECT_FALSE(largest("min:cosine"));
}

TEST_F(Objectives, AreOneFigureOrTwo) {
    const auto two = read_objectives("allreduce_ps,max:bits_per_value", plan);
    ASSERT_EQ(two.size(), 2u);
    EXPECT_EQ(two[1].metric, "bits_per_value");
    EXPECT_TRUE(two[1].largest);
    EXPECT_THAT(error("allreduce_ps,cosine,imbalance"), HasSubstr("names 3 figures"));
}

TEST_F(Objectives, ThatNoMethodHasAreRefused) {
    EXPECT_EQ(error("alreduce_ps"),
              "--best alreduce_ps: no such figure of a method (did you mean allreduce_ps?); oscar-sim describe report "
              "lists them");
    EXPECT_THAT(error("speedup.bf16"), HasSubstr("no such figure"));
    EXPECT_THAT(error("allreduce_ps,"), HasSubstr("--best : no such figure"));
}

}   // namespace
}   // namespace oscar::ranking_test
