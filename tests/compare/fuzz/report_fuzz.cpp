#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/compare/comparison.hpp"
#include "sim/config/error.hpp"
#include "sim/page/page.hpp"
#include "tests/compare/fuzz/fuzzed_file.hpp"
#include "tests/compare/fuzz/json_mutator.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

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

/// Three of four inputs are JSON with other values, the rest has other bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    if (seed % 4 == 0) return LLVMFuzzerMutate(data, size, most);
    const auto changed = oscar::test::JsonMutator(seed).changed({reinterpret_cast<const char*>(data), size});
    if (!changed || changed->size() > most) return LLVMFuzzerMutate(data, size, most);
    std::ranges::copy(*changed, data);
    return changed->size();
}
