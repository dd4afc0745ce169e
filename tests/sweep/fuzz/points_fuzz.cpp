#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/config/error.hpp"
#include "sim/page/page.hpp"
#include "tests/compare/fuzz/fuzzed_file.hpp"

namespace {

std::optional<oscar::SweepResults> sweep_in(const std::filesystem::path& folder) {
    try {
        return oscar::read_sweep(folder);
    } catch (const oscar::InputError&) {
        return std::nullopt;
    }
}

}   // namespace

/// Results that are taken can be shown: no exception comes from the page.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const oscar::test::FuzzedFile file("points.sqlite");
    file.write(data, size);
    if (const auto sweep = sweep_in(file.folder())) oscar::html_page({*sweep}, std::nullopt);
    return 0;
}
