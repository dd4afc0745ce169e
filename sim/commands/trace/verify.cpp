#include <fmt/format.h>

#include "sim/commands/trace/commands.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/find_trace.hpp"
#include "sim/trace/manifest_hashes.hpp"
#include "sim/trace/trace.hpp"

namespace oscar {
namespace {

void check_licence(const Trace& trace, const std::string& folder) {
    if (trace.manifest().data.licence.find_first_not_of(" \t\n") == std::string::npos)
        throw TraceError(
            fmt::format("{}/trace.yaml: data.licence: is missing; say under which licence the data set is, "
                        "like data: {{licence: MIT}}",
                        folder));
}

void check_steps(const Trace& trace, const std::string& folder) {
    const std::vector<TraceIteration>& iterations = trace.manifest().iterations;
    for (std::size_t i = 1; i < iterations.size(); ++i)
        if (iterations[i].step <= iterations[i - 1].step)
            throw TraceError(
                fmt::format("{}/trace.yaml: iterations.{}.step: {} does not come after {}; list iterations "
                            "in the order of training",
                            folder, i, iterations[i].step, iterations[i - 1].step));
}

std::string verify(const std::string& folder) {
    const Trace trace = Trace::open(folder);
    check_licence(trace, folder);
    check_steps(trace, folder);
    for (std::size_t i = 0; i < trace.iterations(); ++i) trace.iteration(i);
    const std::string without = fmt::format(
        "; format 1 has no hashes of its arrays, so a changed value is not found; oscar-sim trace hash --write "
        "{} adds them",
        folder);
    return fmt::format("{}: ok (hash {}){}", folder, trace.hash(), trace.has_hashes() ? "" : without);
}

}   // namespace

Verified verify_traces(const std::vector<std::string>& folders) {
    Verified verified;
    std::size_t skipped = 0;
    for (std::string folder : folders) {
        while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
        if (std::filesystem::is_regular_file(folder)) {
            verified.lines.push_back(fmt::format("{}: skipped, no folder", folder));
            ++skipped;
            continue;
        }
        try {
            verified.lines.push_back(verify(folder));
        } catch (const InputError& error) {
            verified.errors.emplace_back(error.what());
        }
    }
    if (skipped == folders.size()) verified.errors.emplace_back("there is no trace among these; name trace folders");
    return verified;
}

std::string trace_hash(const std::filesystem::path& folder, bool write) {
    if (write) write_hashes(find_trace_named(folder).value_or(folder));
    return Trace::open(folder).hash();
}

}   // namespace oscar
