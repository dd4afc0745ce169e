// The best points of a sweep, from a database made by hand.
#include "sim/sweep/ranking.hpp"

#include <gmock/gmock.h>

#include "sim/config/error.hpp"

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
    EXPECT_EQ(best_by(database, {time}).front(), (RankedPoint{1, "a", {10}}));
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

TEST(BestBy, TheLargestMayBeBest) {
    const auto database = made("(0, 'a', 10, 0.5, 2), (1, 'a', 20, 0.5, 3), (2, 'a', 20, 0.2, 1)");
    EXPECT_THAT(names(best_by(database, {time, speed_up})), ElementsAre("0a", "1a"));
}

TEST(BestBy, PointsWithoutAFigureDoNotCount) {
    const auto database = made("(0, 'a', NULL, 0.5, 0), (1, 'a', 20, NULL, 0), (2, 'a', 30, 0.1, 0)");
    EXPECT_THAT(names(best_by(database, {time})), ElementsAre("1a", "2a"));
    EXPECT_THAT(names(best_by(database, {time, error})), ElementsAre("2a"));
}

class Objectives : public ::testing::Test {
protected:
    Objectives() { plan.methods = {"fp32", "asc"}; }
    std::string error(const std::string& text) const {
        try {
            read_objectives(text, plan);
        } catch (const InputError& e) {
            return e.what();
        }
        return "no error";
    }
    SweepPlan plan;
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
