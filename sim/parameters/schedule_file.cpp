#include "sim/parameters/schedule_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "sim/config/error.hpp"
#include "sim/schedules/goal.hpp"
#include "sim/schedules/msccl_steps.hpp"

namespace oscar {
namespace {

std::filesystem::path find(const std::filesystem::path& file_of_node, const ConfigNode& node,
                           const std::filesystem::path& named) {
    for (const std::filesystem::path& beside : {std::filesystem::path(node.location.source), file_of_node})
        if (auto file = beside.parent_path() / named; std::filesystem::is_regular_file(file)) return file;
    if (std::filesystem::is_regular_file(named)) return named;
    node.fail(fmt::format("there is no file {} beside {} or in the working folder; write its path", named.string(),
                          file_of_node.string()));
}

std::string content_of(const std::filesystem::path& file, const ConfigNode& node) {
    std::ifstream stream(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) node.fail(fmt::format("{} cannot be read; check its permissions", file.string()));
    return text;
}

void check_alone(const ListedScheduleParams& listed, const ConfigNode& node) {
    if (!listed.steps.empty()) node.fail("there is a list of steps, too; leave out file or steps");
}

void check_ranks(const std::filesystem::path& file, std::size_t of_file, std::uint32_t ranks, const char* who,
                 const ConfigNode& node) {
    if (of_file != ranks)
        node.fail(fmt::format("{} is for {} {}, and ranks is {}; write ranks: {}", file.string(), of_file, who, ranks,
                              of_file));
}

/// Calls read(file, text), whose InputError becomes one of the node.
void read_file(const std::filesystem::path& file, const ConfigNode& node, const auto& read) {
    try {
        read(content_of(file, node));
    } catch (const ConfigError&) {
        throw;
    } catch (const InputError& error) {
        node.fail(fmt::format("{}: {}", file.string(), error.what()));
    }
}

}   // namespace

void read_schedule_file(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    auto* listed = std::get_if<ListedScheduleParams>(&p.collective.params);
    if (listed == nullptr || listed->file.empty()) return;
    const ConfigNode node = experiment.source.child("collective").child("file");
    check_alone(*listed, node);
    const std::filesystem::path file = find(experiment.file, node, listed->file);
    read_file(file, node, [&](const std::string& text) {
        const MscclAlgorithm algorithm = read_msccl(text);
        check_ranks(file, algorithm.gpus.size(), p.ranks, "GPUs", node);
        MscclSchedule schedule = schedule_of(algorithm);
        listed->operation = schedule.operation;
        listed->steps = std::move(schedule.steps);
        listed->sums = std::move(schedule.sums);
        listed->unused = algorithm.unused;
    });
}

void read_goal_file(Collective& collective, std::uint32_t ranks, const ConfigNode& collective_node,
                    const std::filesystem::path& beside) {
    const auto* listed = std::get_if<ListedScheduleParams>(&collective.params);
    if (listed == nullptr || std::filesystem::path(listed->file).extension() != ".goal") return;
    const ConfigNode node = collective_node.child("file");
    check_alone(*listed, node);
    const std::filesystem::path file = find(beside, node, listed->file);
    read_file(file, node, [&](const std::string& text) {
        GoalSchedule schedule = read_goal(text);
        check_ranks(file, schedule.ranks, ranks, "ranks", node);
        FlowsParams flows{
            {Issue::dependency, listed->slices}, std::move(schedule.flows), std::move(schedule.computations)};
        collective.params = std::move(flows);
    });
}

void read_goal_file(Experiment& experiment) {
    Parameters& p = experiment.parameters;
    read_goal_file(p.collective, p.ranks, experiment.source.child("collective"), experiment.file);
}

}   // namespace oscar
