#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/compare/comparison.hpp"
#include "sim/config/error.hpp"
#include "sim/page/page.hpp"
#include "tests/compare/fuzz/fuzzed_file.hpp"

namespace {

std::optional<oscar::ReportFile> report_in(const std::filesystem::path& file) {
    try {
        return oscar::read_report(file);
    } catch (const oscar::InputError&) {
        return std::nullopt;
    }
}

}   // namespace

/// A report that is taken can be compared with another and shown: no exception comes from there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const oscar::test::FuzzedFile file("report.json");
    static std::optional<oscar::ReportFile> first;
    file.write(data, size);
    const auto report = report_in(file.path());
    if (!report) return 0;
    if (!first) first = report;
    oscar::to_text(oscar::compare(*first, *report), true, {100, false});
    oscar::html_page({*first, *report}, std::nullopt);
    return 0;
}
