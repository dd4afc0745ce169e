// Records of trainings: how they are judged, and what a page says of them.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/config/error.hpp"
#include "sim/page/page.hpp"
#include "sim/page/training_section.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::training_test {
namespace {

using ::testing::HasSubstr;

class Trainings : public ::testing::Test {
protected:
    /// A record with these qualities, an evaluation a second.
    void record(const std::string& method, int seed, const std::vector<double>& qualities,
                const std::string& metric = "test accuracy") {
        nlohmann::ordered_json rows = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < qualities.size(); ++i)
            rows.push_back({{"step", 10 * (i + 1)},
                            {"seconds", static_cast<double>(i + 1)},
                            {"payload_bytes", 1e6},
                            {"quality", qualities[i]}});
        const nlohmann::ordered_json json{
            {"method", method}, {"seed", seed}, {"metric", metric}, {"ended", "after all steps"}, {"rows", rows}};
        folder.write(method + "-seed" + std::to_string(seed) + ".json", json.dump());
    }
    TrainingResults read() const { return read_training_records(folder.path()); }
    std::string error() const {
        return testing::error_of<InputError>(folder, [&] { read(); });
    }
    testing::TemporaryFolder folder;
};

TEST_F(Trainings, AreJudgedByTheMeanOfThreeEvaluations) {
    record("dense", 1, {0.1, 0.3, 0.5, 0.7});
    const TrainingResults results = read();
    const auto& evaluations = results.methods.front().runs.front().evaluations;
    EXPECT_DOUBLE_EQ(evaluations[0].quality, 0.1);
    EXPECT_DOUBLE_EQ(evaluations[1].quality, 0.2);
    EXPECT_DOUBLE_EQ(evaluations[3].quality, 0.5);
    EXPECT_DOUBLE_EQ(results.methods.front().quality()->mean, 0.5);
}

TEST_F(Trainings, HaveTheQualityOfDenseLessOneDeviationAsTarget) {
    record("dense", 1, {0.6, 0.6, 0.6});
    record("dense", 2, {0.8, 0.8, 0.8});
    EXPECT_NEAR(read().target().value(), 0.7 - 0.1 * std::sqrt(2), 1e-12);
}

TEST_F(Trainings, HaveMoreThanDenseAsTargetWhereLessIsBetter) {
    record("dense", 1, {3, 2, 1}, "nats per character");
    record("dense", 2, {5, 4, 3}, "nats per character");
    const TrainingResults results = read();
    EXPECT_FALSE(results.rising);
    EXPECT_NEAR(results.target().value(), 3 + std::sqrt(2), 1e-12);
}

TEST_F(Trainings, ReachTheTargetWhenTheMedianSeedDoes) {
    record("dense", 1, {0.5, 0.5, 0.5});
    record("slow", 1, {0.9, 0.0, 0.0, 0.0, 0.6, 0.6, 0.6});   // the first alone does not count
    record("slow", 2, {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0});
    const TrainingResults one = read();
    EXPECT_EQ(one.time_to_target(one.methods[0]), 3.0);
    EXPECT_FALSE(one.time_to_target(one.methods[1]));   // one of two seeds
    record("slow", 3, {0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6});
    const TrainingResults results = read();
    EXPECT_EQ(results.time_to_target(results.methods[1]), 7.0);
}

TEST_F(Trainings, WithoutDenseHaveNoTarget) {
    record("asc", 1, {0.5, 0.5, 0.5});
    EXPECT_FALSE(read().target());
    EXPECT_FALSE(read().time_to_target(read().methods.front()));
}

TEST_F(Trainings, AreShownWithTheirTargetDenseFirst) {
    record("asc", 1, {0.4, 0.5, 0.6});
    record("dense", 1, {0.5, 0.5, 0.5});
    const std::string page = html_page({read_results(folder.path())}, std::nullopt);
    EXPECT_THAT(page, HasSubstr("Metric: test accuracy; more is better. Target: 0.5000"));
    EXPECT_LT(page.find("<td class=\"text\">dense</td>"), page.find("<td class=\"text\">asc</td>"));
    EXPECT_THAT(page, HasSubstr("[1.0,0.4],[2.0,0.45],[3.0,0.5]"));
}

TEST_F(Trainings, ThatNeverCameToAnEvaluationHaveARowOfDashes) {
    record("dense", 1, {0.5, 0.5, 0.5});
    record("lost", 1, {});
    EXPECT_THAT(training_section(read()), HasSubstr("<td class=\"text\">lost</td><td>1</td><td>-</td>"));
}

TEST_F(Trainings, OfWrongRecordsAreRefused) {
    EXPECT_THAT(error(), HasSubstr("has no record of a training"));
    record("dense", 1, {0.5});
    record("other", 1, {0.5}, "nats");
    EXPECT_THAT(error(), HasSubstr("is judged by 'nats', the records before it by 'test accuracy'"));
    folder.write("other-seed1.json", "{\"method\": 3}");
    EXPECT_THAT(error(), HasSubstr("is no record of a training"));
    folder.write("other-seed1.json", "{");
    EXPECT_THAT(error(), HasSubstr("other-seed1.json:1:2: is no JSON; it is no record of a training"));
    const std::string with_rows = R"({"method": "x", "seed": 1, "metric": "m", "ended": "", "rows": )";
    const auto refusal_of_rows = [&](const std::string& rows) {
        folder.write("other-seed1.json", with_rows + rows + "}");
        return error();
    };
    EXPECT_THAT(refusal_of_rows("7"), HasSubstr("rows: is a number, and a list is due"));
    EXPECT_THAT(refusal_of_rows("[{}]"), HasSubstr("has no step"));
    EXPECT_THAT(refusal_of_rows(R"([{"step": -1, "seconds": 0, "payload_bytes": 0, "quality": 0}])"),
                HasSubstr("step is no whole number"));
    EXPECT_THAT(refusal_of_rows(R"([{"step": 1, "seconds": 0, "payload_bytes": 0, "quality": null}])"),
                HasSubstr("rows[0].quality: is null, and a number is due"));
    EXPECT_THAT(refusal_of_rows(std::string(20'000, '[')), HasSubstr("is nested more than 100 levels deep"));
}

}   // namespace
}   // namespace oscar::training_test
