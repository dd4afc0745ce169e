#include "sim/page/chart_library.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "sim/config/find.hpp"
#include "sim/page/assets.hpp"

namespace oscar {
namespace fs = std::filesystem;
namespace {

/// Takes the place of a module loader: each part is called with the parts that it names, as define() of AMD would.
/// (Functions call the selections by another name than their file has.)
constexpr std::string_view beginning = R"(var vegaParts = {};
function vegaPart(name, load) {
  const own = vegaParts[name] = {};
  const define = (needed, make) => make(...needed.map((part) => (part === "exports" ? own : vegaParts[part === "vega-selections" ? "vega-selection" : part])));
  define.amd = true;
  load(define);
}
)";

constexpr std::string_view end =
    R"(Object.assign(vegaParts["vega-dataflow"].transforms, vegaParts["vega-transforms"], vegaParts["vega-view-transforms"], vegaParts["vega-encode"], vegaParts["vega-label"]);
var vega = { parse: vegaParts["vega-parser"].parse, View: vegaParts["vega-view"].View, Warn: vegaParts["vega-util"].Warn };
)";

std::optional<std::string> text_of_file(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// Without the line that names a file of debugging information, which a browser would look for.
void remove_source_map(std::string& script) {
    const std::size_t line = script.find("//# sourceMappingURL");
    if (line != std::string::npos) script.erase(line, script.find('\n', line) - line);
}

}   // namespace

std::optional<ChartLibrary> read_chart_library(const fs::path& folder, const fs::path& licence) {
    ChartLibrary library{std::string(beginning), {}};
    std::istringstream names{std::string(vega_parts)};
    for (std::string name; names >> name;) {
        auto part = text_of_file(folder / (name + ".min.js"));
        if (!part) return std::nullopt;
        remove_source_map(*part);
        library.script +=
            fmt::format("vegaPart(\"{}\", function (define) {{ var exports, module; {}\n}});\n", name, *part);
    }
    library.script += end;
    const auto licences = text_of_file(licence);
    if (!licences) return std::nullopt;
    library.licence = *licences;
    return library;
}

std::optional<ChartLibrary> chart_library() {
    if (const auto data = data_folder())
        if (auto installed = read_chart_library(*data / "report/vega", *data / "report/vega/copyright"))
            return installed;
    return read_chart_library(OSCAR_VEGA, OSCAR_VEGA_LICENCE);
}

}   // namespace oscar
