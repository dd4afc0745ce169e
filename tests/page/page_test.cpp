// The HTML page of runs.
#include "sim/page/page.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "sim/page/assets.hpp"
#include "sim/page/html.hpp"
#include "tests/page/small_report.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::page_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const ChartLibrary library{"library();", "Copyright of the library <all rights>"};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
}

TEST(Html, HoldsNoMarkupOfItsCells) {
    EXPECT_EQ(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    EXPECT_THAT(html_table("<i>", {{"<b>"}, {"<script>"}}), Not(HasSubstr("<script>")));
}

TEST(Html, DataOfAChartCannotEndItsScript) {
    const std::string chart = html_chart("x", {{"title", "</script><script>alert(1)</script>"}});
    EXPECT_EQ(count(chart, "</script>"), 1u);
}

/// asc takes a third of fp32's time, at an error of 0.05.
TEST(Page, TellsTheFastestMethodThenShowsTheTimesThenSaysWhy) {
    const std::string page = html_page({test::small_report("demo")}, library);
    const auto headline =
                   page.find("<b>asc</b> is fastest: 10 us, 3.00x as fast as fp32, at a relative L2 error of 0.05."),
               chart = page.find("class=\"chart\""), verdict = page.find("<li>Limited by link"),
               table = page.find("<table");
    ASSERT_NE(headline, std::string::npos);
    EXPECT_LT(headline, chart);
    EXPECT_LT(chart, verdict);
    EXPECT_LT(verdict, table);
    EXPECT_THAT(page, HasSubstr("<title>oscar-sim: demo</title>"));
    EXPECT_THAT(page, HasSubstr("hidden: quantisation by the NIC"));
    EXPECT_THAT(page, HasSubstr("<td class=\"text\">trace.hash</td><td class=\"text\">ab12</td>"));
}

/// The link takes 9 of 10 us of asc and 29 of 30 us of fp32.
TEST(Page, GroupsMethodsByWhatLimitsThemTheFastestFirst) {
    ReportFile run = test::small_report("demo");
    EXPECT_THAT(
        html_page({run}, std::nullopt),
        HasSubstr("<li>Limited by link (share of the critical path): <b>asc</b>: 10 us, 3.00x as fast as fp32 (90 %); "
                  "<b>fp32</b>: 30 us (97 %). <i>Remedy: fewer bits a value"));
    run.report["methods"][0]["bottleneck"] = "latency";
    EXPECT_EQ(count(html_page({run}, std::nullopt), "<li>Limited by"), 2u);
}

TEST(Page, ShowsTheBitsOfEachTierWhereThereAreTwo) {
    ReportFile run = test::small_report("demo");
    EXPECT_THAT(html_page({run}, std::nullopt), AllOf(HasSubstr(">bits a value</th>"), HasSubstr("<td>8.5</td>")));
    for (auto& method : run.report["methods"]) {
        method["nic_bits_per_value"] = 4.75;
        method["island_bits_per_value"] = nullptr;
    }
    EXPECT_THAT(html_page({run}, std::nullopt),
                AllOf(HasSubstr(">bits a value, NICs</th>"), HasSubstr(">bits a value inside islands</th>"),
                      HasSubstr("<td>4.75</td>"), Not(HasSubstr(">bits a value</th>"))));
}

TEST(Page, HasThreeDigitsOfEachFraction) {
    ReportFile run = test::small_report("demo");
    run.report["methods"][0]["relative_l2_error"] = 5.68858e-08;
    const std::string page = html_page({run}, std::nullopt);
    EXPECT_THAT(page, HasSubstr("<td>5.69e-08</td>"));
    EXPECT_THAT(page, Not(HasSubstr("<td>5.68858e-08</td>")));
}

TEST(Page, LoadsNothing) {
    const std::string page = html_page({test::small_report("demo")}, library);
    for (const char* loading : {" src=", "<link", "@import", "url("}) EXPECT_THAT(page, Not(HasSubstr(loading)));
    EXPECT_THAT(page, HasSubstr("library();"));
}

TEST(Page, HasTheLicenceOfTheLibraryThatItHas) {
    EXPECT_THAT(html_page({test::small_report("demo")}, library),
                HasSubstr("<pre>Copyright of the library &lt;all rights&gt;</pre>"));
}

TEST(Page, WithoutTheLibraryHasTheTablesAndSaysHowToGetIt) {
    const std::string with = html_page({test::small_report("demo")}, library),
                      without = html_page({test::small_report("demo")}, std::nullopt);
    EXPECT_EQ(count(with, "<table>"), count(without, "<table>"));
    EXPECT_THAT(without, HasSubstr("This page has no charts: the charts need Vega: apt-get install libjs-vega"));
    EXPECT_THAT(with, Not(HasSubstr("This page has no charts")));
}

TEST(ChartLibrary, IsJoinedOfTheFilesOfAFolderIfNoneIsMissing) {
    const testing::TemporaryFolder folder;
    folder.write("copyright", "BSD");
    std::istringstream names{std::string(vega_parts)};
    std::string last;
    for (std::string name; names >> name; last = name)
        folder.write(name + ".min.js", "code of " + name + "\n//# sourceMappingURL=x.map");
    const auto read = read_chart_library(folder.path(), folder.path() / "copyright");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->script,
                HasSubstr("vegaPart(\"vega-util\", function (define) { var exports, module; code of vega-util"));
    EXPECT_LT(read->script.find("code of vega-util"), read->script.find("code of vega-view"));   // which needs it
    EXPECT_THAT(read->script, Not(HasSubstr("sourceMappingURL")));
    EXPECT_EQ(read->licence, "BSD");
    EXPECT_FALSE(read_chart_library(folder.path(), folder.path() / "no-licence"));
    std::filesystem::remove(folder.path() / (last + ".min.js"));
    EXPECT_FALSE(read_chart_library(folder.path(), folder.path() / "copyright"));
}

TEST(Page, OfSeveralRunsFirstComparesEachWithTheFirst) {
    const std::string page = html_page(
        {test::small_report("demo"), test::small_report("other"), test::small_report("demo", "rans")}, std::nullopt);
    EXPECT_THAT(page, HasSubstr("<title>oscar-sim: demo, other, demo</title>"));
    std::size_t before = 0;
    for (const char* heading :
         {"<h2>A and B</h2>", "<h2>A and C</h2>", "<h2>A: demo</h2>", "<h2>B: other</h2>", "<h2>C: demo</h2>"}) {
        const std::size_t at = page.find(heading);
        ASSERT_NE(at, std::string::npos) << heading;
        EXPECT_GT(at, before);
        before = at;
    }
}

TEST(Page, OfRunsOfOneNameNamesTheirFolders) {
    ReportFile other = test::small_report("demo");
    other.file = "results/faster/report.json";
    const std::string page = html_page({test::small_report("demo"), other}, std::nullopt);
    EXPECT_THAT(page, HasSubstr("<title>oscar-sim: demo, demo (faster)</title>"));
    EXPECT_THAT(page, HasSubstr("<h2>B: demo (faster)</h2>"));
}

TEST(Page, ShowsTheMachineAsItWasWritten) {
    ReportFile run = test::small_report("demo");
    run.report["config_as_written"] = {{"network", {{"link", {{"bandwidth", "400Gbps"}}}}}};
    EXPECT_THAT(html_page({run}, std::nullopt),
                HasSubstr("<td class=\"text\">network.link.bandwidth</td><td>400Gbps</td>"));
}

TEST(Page, NamesThePlaceOfTheLongestWait) {
    ReportFile run = test::small_report("demo");
    run.report["methods"][1]["longest_step"] = {{"sentence", "rank3->rank4 takes longest"}};
    EXPECT_THAT(html_page({run}, std::nullopt), Not(HasSubstr("takes longest")));   // limited by the link
    run.report["methods"][1]["bottleneck"] = "wait";
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("(90 %), rank3-&gt;rank4 takes longest"));
}

TEST(Page, SaysWhereAMethodBreaksEven) {
    ReportFile run = test::small_report("demo");
    EXPECT_THAT(html_page({run}, std::nullopt), Not(HasSubstr("faster than fp32</th>")));
    run.report["methods"][0]["faster_than_fp32"] = "same";
    run.report["methods"][1].update(
        {{"faster_than_fp32", "below"}, {"break_even_bandwidth_gbps", 1203.7549}, {"break_even_limiter", "latency"}});
    EXPECT_THAT(html_page({run}, std::nullopt),
                HasSubstr("<td class=\"text\">asc</td><td class=\"text\">below 1204 Gbit/s</td>"));
}

TEST(Page, SaysThatSumsAreWrong) {
    ReportFile run = test::small_report("demo");
    run.report["methods"][1]["sums_match_reference"] = false;
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("<strong>The sums of asc are wrong.</strong>"));
}

/// Reports of other versions may lack figures.
TEST(Page, OfAReportWithNothingButTimesIsStillAPage) {
    ReportFile run = test::small_report("demo");
    run.report["methods"] = nlohmann::ordered_json::parse(R"([{"name": "fp32", "allreduce_ps": 5}])");
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("<b>fp32</b> is fastest: 5e-06 us"));
    run.report["methods"] = nlohmann::ordered_json::array();
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("The report has no method."));
}

}   // namespace
}   // namespace oscar::page_test
