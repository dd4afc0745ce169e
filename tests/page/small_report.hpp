// A report of two methods, for tests of pages.
#pragma once

#include "sim/compare/report_file.hpp"

namespace oscar::test {

/// fp32 takes 30 us, and `name` a third; each sends over two links.
inline ReportFile small_report(const std::string& experiment, const std::string& name = "asc") {
    using Json = nlohmann::ordered_json;
    const auto method = [](const std::string& called, std::int64_t link, double error) {
        Json links = Json::array();
        for (const char* from : {"rank0->switch0", "rank1->switch0"})
            links.push_back({{"name", from}, {"utilisation", 0.5}, {"wire_bytes", 1000}});
        Json iterations = Json::array();
        for (const int position : {5, 6})
            iterations.push_back({{"position", position}, {"allreduce_ps", link + 1'000'000}});
        return Json{
            {"name", called},
            {"allreduce_ps", link + 1'000'000},
            {"bits_per_value", 8.5},
            {"relative_l2_error", error},
            {"bottleneck", "link"},
            {"critical_path",
             {{"wire_ps", link},
              {"engine_ps", 250'000},
              {"dma_ps", 250'000},
              {"latency_ps", 250'000},
              {"wait_ps", 250'000}}},
            {"sums_match_reference", true},
            {"speedup", {{"fp32", 30e6 / static_cast<double>(link + 1'000'000)}}},
            {"links", links},
            {"iterations", iterations},
            {"activity",
             {{"interval_ps", 2'000'000},
              {"sending", {1.0, 0.5}},
              {"busiest_links", Json::array({Json{{"name", "rank0->switch0"}, {"utilisation", {1.0, 0.25}}}})}}},
            {"timesteps", {{"bits_per_value", {8.0, 9.0}}}},
            {"chunk_balance",
             {{"least", 0.9}, {"first_quartile", 0.95}, {"median", 1.0}, {"third_quartile", 1.0}, {"largest", 1.2}}}};
    };
    Json report{{"schema", 1}, {"experiment", experiment}, {"program_version", "0.1.0"}, {"seed", 1}};
    report["config"] = {{"ranks", 2}, {"methods", Json::array({Json{{"kind", "fp32"}, {"name", "fp32"}}})}};
    report["trace"] = {{"name", "lenet"}, {"hash", "ab12"}};
    report["costs"] = "hidden: quantisation by the NIC";
    report["methods"] = {method("fp32", 29'000'000, 1e-8), method(name, 9'000'000, 0.05)};
    report["host"] = {{"wall_s", 1.5}};
    return {experiment + "/report.json", report};
}

}   // namespace oscar::test
