#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/commands/trace/commands.hpp"
#include "sim/commands/trace/summary.hpp"
#include "sim/commands/trace/value_writer.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/import_plan.hpp"
#include "sim/trace/new_trace.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {
namespace {

TraceManifest manifest_of(const ConvertOptions& options, const ImportPlan& plan) {
    TraceManifest manifest;
    manifest.name = options.name;
    if (manifest.name.empty()) {
        const std::filesystem::path folder(options.output);
        manifest.name = (folder.filename().empty() ? folder.parent_path() : folder).filename().string();
    }
    manifest.model = options.model;
    manifest.data.licence = options.licence.empty() ? "none stated" : options.licence;
    manifest.data.source =
        options.source.empty()
            ? fmt::format("converted from {}", std::filesystem::path(options.input).filename().string())
            : options.source;
    manifest.ranks = plan.ranks;
    manifest.layers = plan.layers;
    for (const TraceLayer& layer : plan.layers) {
        std::uint64_t size = 1;
        for (const std::uint64_t length : layer.shape) size *= length;   // fits: the file holds these values
        manifest.parameters += size;
    }
    for (std::size_t i = 0; i < plan.iterations.size(); ++i)
        manifest.iterations.push_back({iteration_file(i), plan.iterations[i].step, "", 0, 1, ""});
    return manifest;
}

constexpr std::string_view note_of_one_rank =
    "\nNOTE: the arrays have one rank, and a collective needs two: run will show gradients of other iterations as "
    "further "
    "ranks; arrays of shape [ranks, elements] with a row for each worker are better";

/// The fp16_scale of all values of an iteration.
double scale_of(const ImportFile& file, const ImportedIteration& iteration) {
    float peak = 0;
    for (const std::size_t a : iteration.arrays)
        file.read(file.arrays()[a], [&](std::uint64_t, std::span<const float> values) {
            for (const float value : values) peak = std::max(peak, std::fabs(value));
        });
    return fp16_scale(peak);
}

void write_iteration(const ImportFile& file, const ImportedIteration& from, const std::vector<std::uint64_t>& offsets,
                     ValueWriter& writer) {
    for (std::size_t l = 0; l < from.arrays.size(); ++l) {
        const std::uint64_t size = offsets[l + 1] - offsets[l];
        file.read(file.arrays()[from.arrays[l]], [&](std::uint64_t first, std::span<const float> values) {
            while (!values.empty()) {   // cut where the next rank starts
                const std::uint64_t row = first / size, column = first % size;
                const auto part =
                    values.first(static_cast<std::size_t>(std::min<std::uint64_t>(values.size(), size - column)));
                writer.put(row, offsets[l] + column, part);
                values = values.subspan(part.size());
                first += part.size();
            }
        });
    }
}

}   // namespace

std::string convert_trace(const ConvertOptions& options) {
    if (options.dtype == ValueType::bf16) throw InputError("--dtype bf16: cannot be written; choose f4 or f2");
    const ImportFile file = ImportFile::open(options.input);
    const ImportPlan plan = plan_import(file.arrays(), options.input);
    TraceManifest manifest = manifest_of(options, plan);
    const std::vector<std::uint64_t> offsets = layer_offsets(manifest);

    NewFolder folder(options.output);
    for (std::size_t i = 0; i < plan.iterations.size(); ++i) {
        TraceIteration& iteration = manifest.iterations[i];
        if (options.dtype == ValueType::f2) iteration.scale = scale_of(file, plan.iterations[i]);
        NewArray array(folder.path() / iteration.file, options.dtype == ValueType::f2 ? "<f2" : "<f4", options.dtype,
                       manifest.ranks, manifest.parameters);
        ValueWriter writer(array, options.dtype, iteration.scale);
        write_iteration(file, plan.iterations[i], offsets, writer);
    }
    write_manifest(folder, manifest);
    const std::string text = summary(Trace::open(folder.path()));
    folder.commit();
    std::string left_out;
    if (!plan.left_out.empty())
        left_out = fmt::format("\nNOTE: left out layers without values: {}", fmt::join(plan.left_out, ", "));
    return fmt::format("{}: {}{}{}", options.output, text, plan.ranks == 1 ? note_of_one_rank : "", left_out);
}

}   // namespace oscar
