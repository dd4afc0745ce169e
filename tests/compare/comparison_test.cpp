// Two reports beside each other.
#include "sim/compare/comparison.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "sim/config/error.hpp"

namespace oscar::comparison_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

/// A method whose critical path is `link` + 5 us of latency.
Json method(const char* name, std::int64_t link, double bits) {
    return {{"name", name},
            {"allreduce_ps", link + 5'000'000},
            {"payload_bytes", link / 1000},
            {"bits_per_value", bits},
            {"critical_path",
             {{"wire_ps", link}, {"engine_ps", 0}, {"dma_ps", 0}, {"latency_ps", 5'000'000}, {"wait_ps", 0}}},
            {"bottleneck", "link"}};
}

ReportFile report(const char* file, const char* bandwidth, std::vector<Json> methods) {
    Json json{{"schema", 1}, {"experiment", "demo"}, {"program_version", "0.1.0"}};
    json["config"] = {{"ranks", 8}, {"network", {{"link", {{"bandwidth", bandwidth}}}}}};
    json["trace"] = {{"name", "lenet"}, {"hash", "ab12"}};
    json["methods"] = methods;
    json["host"] = {{"wall_s", file[0]}};
    return {file, json};
}

const ReportFile slow =
    report("slow/report.json", "25Gbps", {method("fp32", 20'000'000, 32), method("asc", 10'000'000, 8)});
const ReportFile fast =
    report("fast/report.json", "50Gbps", {method("fp32", 10'000'000, 32), method("rans", 5'000'000, 8)});

std::string text(const ReportFile& a, const ReportFile& b, bool all = false) {
    return to_text(compare(a, b), all, {100, false});
}

TEST(Comparison, HasTheRatioAndTheCauseThatMakesIt) {
    const Json compared = compare(slow, fast);
    ASSERT_EQ(compared["methods"].size(), 1u);
    EXPECT_DOUBLE_EQ(compared["methods"][0]["ratio"], 25.0 / 15);
    EXPECT_EQ(compared["methods"][0]["reason"], "B is 1.667 times as fast: link 20.000 -> 10.000 us");
    EXPECT_THAT(compare(fast, slow)["methods"][0]["reason"].get<std::string>(),
                HasSubstr("B is 1.667 times as slow: link 10.000 -> 20.000 us"));
}

/// By default the name is that of the file: equal bytes in a.yaml and a2.yaml are one experiment.
TEST(Comparison, TakesNoNameForADifference) {
    ReportFile other = slow;
    other.report["experiment"] = other.report["config"]["experiment"] = "demo-2";
    const Json compared = compare(slow, other);
    EXPECT_TRUE(compared["configuration"].empty()) << compared["configuration"];
    EXPECT_TRUE(compared["all"].empty()) << compared["all"];
    EXPECT_EQ(compared["b"]["experiment"], "demo-2");
    EXPECT_THAT(text(slow, other), HasSubstr("\nThe configurations are equal.\n"));
    other.report["config_as_written"] = other.report["config"];
    EXPECT_TRUE(compare(other, slow)["configuration"].empty());
}

TEST(Comparison, SaysFirstThatTracesAreNotOfTheSameKind) {
    ReportFile other = fast, none = fast;
    other.report["trace"]["hash"] = "cd34";
    none.report["trace"]["hash"] = nullptr;
    EXPECT_THAT(text(slow, fast), Not(HasSubstr("NOTE")));
    EXPECT_THAT(text(slow, other), HasSubstr("(cd34)\nNOTE: the two replay different traces"));
    EXPECT_THAT(text(slow, none), HasSubstr("\nNOTE: A replays a trace and B has none: times and bits are of other"));
    EXPECT_THAT(text(none, slow), HasSubstr("\nNOTE: B replays a trace and A has none"));
}

TEST(Comparison, SaysWhereValuesHaveOtherBits) {
    const ReportFile wide = report("w", "25Gbps", {method("asc", 20'000'000, 11)}),
                     narrow = report("n", "25Gbps", {method("asc", 16'000'000, 8.5)});
    EXPECT_THAT(text(wide, narrow),
                HasSubstr("asc: B is 1.190 times as fast: link 20.000 -> 16.000 us; values of 11.00 -> 8.50 bits"));
}

TEST(Comparison, SaysOnWhichTierValuesHaveOtherBits) {
    const auto on_islands = [](const char* file, double nic, double inside) {
        Json asc = method("asc", 20'000'000, (nic + inside) / 2);
        asc["nic_bits_per_value"] = nic;
        asc["island_bits_per_value"] = inside;
        return report(file, "25Gbps", {asc});
    };
    const ReportFile eight = on_islands("w", 8, 16), four = on_islands("n", 4, 16);
    EXPECT_THAT(text(eight, four), HasSubstr("asc: B is as fast; values on NICs of 8.00 -> 4.00 bits\n"));
    EXPECT_THAT(text(eight, on_islands("u", 8, 12)),
                HasSubstr("asc: B is as fast; values inside islands of 16.00 -> 12.00 bits\n"));
    EXPECT_EQ(compare(eight, four)["methods"][0]["nic_bits_per_value"], Json({{"a", 8.0}, {"b", 4.0}}));
    EXPECT_FALSE(compare(slow, fast)["methods"][0].contains("nic_bits_per_value"));
    const Json star = compare(report("s", "25Gbps", {method("asc", 20'000'000, 9)}), four);
    EXPECT_THAT(star["methods"][0]["reason"].get<std::string>(), HasSubstr("; values of 9.00 -> 10.00 bits"));
}

TEST(Comparison, ListsTheConfigurationInItsOwnUnitsAndTheMethodsOfOneSide) {
    const std::string said = text(slow, fast);
    EXPECT_THAT(said, HasSubstr("A: slow/report.json: demo, oscar-sim 0.1.0, trace lenet (ab12)"));
    EXPECT_THAT(said, ::testing::ContainsRegex("network.link.bandwidth +25Gbps +50Gbps"));
    EXPECT_THAT(said, Not(HasSubstr("ranks")));
    EXPECT_THAT(said, HasSubstr("Only in A: asc\nOnly in B: rans\n"));
}

TEST(Comparison, OfAScaledMachineIsThatOfTheMachineAsItWasWritten) {
    ReportFile a = slow, b = fast;
    a.report["config_as_written"] = {{"network", {{"link", {{"bandwidth", "400Gbps"}}}}}};
    b.report["config_as_written"] = {{"network", {{"link", {{"bandwidth", "800Gbps"}}}}}};
    EXPECT_THAT(text(a, b), ::testing::ContainsRegex("network.link.bandwidth +400Gbps +800Gbps"));
}

TEST(Comparison, OfARunWithItselfSaysThatAllIsEqual) {
    ReportFile again = slow;
    again.report["host"]["wall_s"] = 99;
    const std::string said = text(slow, again);
    EXPECT_THAT(said, HasSubstr("The configurations are equal."));
    EXPECT_THAT(said, HasSubstr("fp32: B is as fast\n"));
    EXPECT_THAT(said, HasSubstr("The reports are equal but for host and name."));
}

TEST(Comparison, ListsEachValueIfAsked) {
    EXPECT_THAT(text(slow, fast), HasSubstr("values of the reports differ; --all lists them"));
    EXPECT_THAT(text(slow, fast, true), HasSubstr("methods.fp32.allreduce_ps: 25000000 -> 15000000\n"));
}

TEST(Comparison, OfReportsWithoutACommonMethodSaysSo) {
    EXPECT_THAT(text(report("a", "1Gbps", {method("fp32", 1, 1)}), report("b", "1Gbps", {method("asc", 1, 1)})),
                HasSubstr("No method is in both."));
}

class Files : public ::testing::Test {
protected:
    Files() { fs::create_directories(folder_); }
    ~Files() override { fs::remove_all(folder_); }
    fs::path write(const std::string& name, const std::string& text) {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    std::string refusal(const fs::path& place) {
        try {
            read_report(place);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    }
    const fs::path folder_ = fs::path(::testing::TempDir()) / ("comparison" + std::to_string(::getpid()));
};

TEST_F(Files, AreReadFromTheirFolderOrByTheirName) {
    const fs::path file = write("a/report.json", slow.report.dump());
    EXPECT_EQ(read_report(file.parent_path()).report, slow.report);
    EXPECT_EQ(read_report(file).file, file);
}

TEST_F(Files, ThatAreNoReportAreRefusedWithARemedy) {
    EXPECT_THAT(refusal(folder_ / "none"), HasSubstr("none: no such file; name a folder that `oscar-sim run -o DIR`"));
    EXPECT_THAT(refusal(folder_), HasSubstr("has no report.json"));
    write("s/points.sqlite", "");
    EXPECT_THAT(refusal(folder_ / "s"), HasSubstr("holds a sweep"));
    write("p/prediction.json", "{}");
    EXPECT_THAT(refusal(folder_ / "p"), HasSubstr("holds a prediction"));
    write("r/latest/report.json", "{}");
    EXPECT_THAT(refusal(folder_ / "r"), HasSubstr("holds several runs; name one, such as"));
    EXPECT_THAT(refusal(write("cut.json", slow.report.dump().substr(0, 50))), HasSubstr("is no JSON"));
    EXPECT_THAT(refusal(write("list.json", "[]")), HasSubstr("is no report of a run"));
    EXPECT_THAT(refusal(write("traffic.json", R"({"schema": 1, "points": []})")), HasSubstr("is no report of a run"));
    EXPECT_THAT(refusal(write("old.json", R"({"schema": 7, "config": {}, "methods": []})")),
                HasSubstr("is a report of schema 7, and this program reads schema 1"));
    EXPECT_THAT(refusal(write("odd.json", R"({"schema": 1, "config": {}, "methods": [{"name": 3}]})")),
                HasSubstr("odd.json: methods[0].name: is a number, and a text is due; name a folder"));
}

/// The report `slow` with another first method.
std::string with_method(const Json& method) {
    Json report = slow.report;
    report["methods"][0] = method;
    return report.dump();
}

TEST_F(Files, WhoseMethodsHaveNoNameOrNoTimeAreRefused) {
    const auto found = [&](const Json& method) { return refusal(write("odd.json", with_method(method))); };
    EXPECT_EQ(found({{"name", "x"}, {"allreduce_ps", 5}}), "");
    EXPECT_THAT(found({{"name", "x"}}), HasSubstr("has a method without name or time"));
    EXPECT_THAT(found(7), HasSubstr("methods[0]: is a number, and a map is due"));
    EXPECT_THAT(found({{"name", "rans"}, {"allreduce_ps", 5}}), Not(HasSubstr("two methods")));
    EXPECT_THAT(found({{"name", "asc"}, {"allreduce_ps", 5}}), HasSubstr("has two methods asc"));
    for (const Json& time : {Json(-1), Json(1.5), Json(1e300)})
        EXPECT_THAT(found({{"name", "x"}, {"allreduce_ps", time}}),
                    HasSubstr("the time of method x is no whole number of picoseconds"));
}

TEST_F(Files, WithAValueOfAnotherTypeAreRefusedWithItsPlace) {
    const auto found = [&](const char* more) {
        Json method = Json::parse(more);
        method["name"] = "x";
        method["allreduce_ps"] = 5;
        return refusal(write("odd.json", with_method(method)));
    };
    EXPECT_EQ(found(R"({"activity": {"busiest_links": [{}]}})"), "");   // a key that is missing is none
    EXPECT_THAT(found(R"({"activity": {"busiest_links": [{"utilisation": [0.5, "x"]}]}})"),
                HasSubstr("methods[0].activity.busiest_links[0].utilisation[1]: is a text, and a number is due"));
    EXPECT_THAT(found(R"({"links": {"a": 1}})"), HasSubstr("methods[0].links: is a map, and a list is due"));
    EXPECT_THAT(found(R"({"speedup": {"fp32": []}})"),
                HasSubstr("methods[0].speedup.fp32: is a list, and a number is due"));
    EXPECT_THAT(found(R"({"bottleneck": null})"), HasSubstr("methods[0].bottleneck: is null"));
    EXPECT_THAT(found(R"({"faster_than_fp32": 1e308})"),
                HasSubstr("methods[0].faster_than_fp32: is a number, and a text is due"));
    EXPECT_EQ(found(R"({"relative_l2_error": null})"), "");
    Json odd = slow.report;
    odd["config"]["methods"] = {{{"kind", 3}}};
    EXPECT_THAT(refusal(write("odd.json", odd.dump())), HasSubstr("config.methods[0].kind: is a number"));
}

TEST_F(Files, AsDeepAsAStackAreRefusedAtOnce) {
    for (const std::size_t depth : {20'000, 200'000})
        EXPECT_THAT(refusal(write("deep.json", R"({"schema": 1, "methods": [], "config": )" + std::string(depth, '['))),
                    HasSubstr("deep.json: is nested more than 100 levels deep"));
}

TEST_F(Files, OfAnySeedAndNoMethodAreRead) {
    EXPECT_EQ(refusal(write("none.json", R"({"schema": 1, "config": {}, "methods": []})")), "");
}

}   // namespace
}   // namespace oscar::comparison_test
