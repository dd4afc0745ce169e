#include "sim/parameters/schedule_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sim/config/error.hpp"
#include "sim/schedules/msccl_steps.hpp"

namespace oscar {
namespace {

std::filesystem::path find(const Experiment& experiment, const ConfigNode& node, const std::filesystem::path& named) {
    for (const std::filesystem::path& beside : {std::filesystem::path(node.location.source), experiment.file})
        if (auto file = beside.parent_path() / named; std::filesystem::is_regular_file(file)) return file;
    if (std::filesystem::is_regular_file(named)) return named;
    node.fail(fmt::format("there is no file {} beside {} or in the working folder; write its path", named.string(),
                          experiment.file.string()));
}

std::string content_of(const std::filesystem::path& file, const ConfigNode& node) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) node.fail(fmt::format("{} cannot be read; check its permissions", file.string()));
    return text;
}

}   // namespace

void read_schedule_file(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    auto* listed = std::get_if<ListedScheduleParams>(&p.collective.params);
    if (listed == nullptr || listed->file.empty()) return;
    const ConfigNode node = experiment.source.child("collective").child("file");
    if (!listed->steps.empty()) node.fail("there is a list of steps, too; leave out file or steps");
    const std::filesystem::path file = find(experiment, node, listed->file);
    try {
        const MscclAlgorithm algorithm = read_msccl(content_of(file, node));
        const std::size_t gpus = algorithm.gpus.size();
        if (gpus != p.ranks)
            node.fail(
                fmt::format("{} is for {} GPUs, and ranks is {}; write ranks: {}", file.string(), gpus, p.ranks, gpus));
        MscclSchedule schedule = schedule_of(algorithm);
        listed->operation = schedule.operation;
        listed->steps = std::move(schedule.steps);
    } catch (const ConfigError&) {
        throw;
    } catch (const InputError& error) {
        node.fail(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}   // namespace oscar
