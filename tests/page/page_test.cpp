// The HTML page of runs.
#include "sim/page/page.hpp"

#include <gmock/gmock.h>

#include "sim/page/html.hpp"
#include "tests/page/small_report.hpp"

namespace oscar::page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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
    const std::string chart = html_chart("x", {{"title", "</script><script>alert(1)</script>"}}, 100);
    EXPECT_EQ(count(chart, "</script>"), 1u);
}

TEST(Page, SaysWhatARunHasFoundBeforeAnythingElse) {
    const std::string page = html_page({test::small_report("demo")}, "library();");
    const auto verdict =
        page.find("<b>asc</b>: 10.000 us, 3.00x as fast as fp32; limited by link (90 % of the critical path)");
    ASSERT_NE(verdict, std::string::npos);
    EXPECT_LT(verdict, page.find("<table"));
    EXPECT_LT(verdict, page.find("class=\"chart\""));
    EXPECT_THAT(page, HasSubstr("<title>oscar-sim: demo</title>"));
    EXPECT_THAT(page, HasSubstr("hidden: quantisation by the NIC"));
    EXPECT_THAT(page, HasSubstr("<td class=\"text\">trace.hash</td><td class=\"text\">ab12</td>"));
}

TEST(Page, LoadsNothing) {
    const std::string page = html_page({test::small_report("demo")}, "library();");
    for (const char* loading : {" src=", "<link", "@import", "url("}) EXPECT_THAT(page, Not(HasSubstr(loading)));
    EXPECT_THAT(page, HasSubstr("library();"));
}

TEST(Page, WithoutTheLibraryHasTheTablesAndSaysWhatIsMissing) {
    const std::string with = html_page({test::small_report("demo")}, "library();"),
                      without = html_page({test::small_report("demo")}, std::nullopt);
    EXPECT_EQ(count(with, "<table>"), count(without, "<table>"));
    EXPECT_THAT(without, HasSubstr("This page has no charts"));
    EXPECT_THAT(with, Not(HasSubstr("This page has no charts")));
}

TEST(Page, OfSeveralRunsComparesEachWithTheFirst) {
    const std::string page = html_page(
        {test::small_report("demo"), test::small_report("other"), test::small_report("demo", "rans")}, std::nullopt);
    EXPECT_THAT(page, HasSubstr("<title>oscar-sim: demo, other</title>"));
    for (const char* heading :
         {"<h2>A: demo</h2>", "<h2>B: other</h2>", "<h2>A and B</h2>", "<h2>C: demo</h2>", "<h2>A and C</h2>"})
        EXPECT_THAT(page, HasSubstr(heading));
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
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("shorten it. rank3-&gt;rank4 takes longest"));
}

TEST(Page, SaysWhereAMethodBreaksEven) {
    ReportFile run = test::small_report("demo");
    EXPECT_THAT(html_page({run}, std::nullopt), Not(HasSubstr("break-even")));
    run.report["methods"][0]["faster_than_fp32"] = "same";
    run.report["methods"][1].update(
        {{"faster_than_fp32", "below"}, {"break_even_bandwidth_gbps", 1203.7549}, {"break_even_limiter", "latency"}});
    EXPECT_THAT(html_page({run}, std::nullopt),
                HasSubstr("<td class=\"text\">asc</td><td class=\"text\">below</td><td>1203.8</td>"));
}

TEST(Page, SaysThatSumsAreWrong) {
    ReportFile run = test::small_report("demo");
    run.report["methods"][1]["sums_match_reference"] = false;
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("<strong>Its sums are wrong.</strong>"));
}

/// Reports of other versions may lack figures.
TEST(Page, OfAReportWithNothingButTimesIsStillAPage) {
    ReportFile run = test::small_report("demo");
    run.report["methods"] = nlohmann::ordered_json::parse(R"([{"name": "fp32", "allreduce_ps": 5}])");
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("<b>fp32</b>: 0.000 us"));
    run.report["methods"] = nlohmann::ordered_json::array();
    EXPECT_THAT(html_page({run}, std::nullopt), HasSubstr("The report has no method."));
}

}   // namespace
}   // namespace oscar::page_test
