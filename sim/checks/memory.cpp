#include "sim/checks/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "models/collective/algorithms/step_count.hpp"
#include "models/job/job.hpp"
#include "models/network/event/background_load.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "sim/checks/effort/tasks.hpp"
#include "sim/checks/lossy.hpp"
#include "sim/checks/network.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

// Measured, as the growth of peak_rss_bytes (tests/run/synthetic/memory_estimate_test.cpp).
constexpr double bytes_per_step = 80;        // itself, what it waits for and what waits for it, numbers of what follows
constexpr double bytes_per_distinct = 120;   // times, record and wire bytes that no other step has
constexpr double bytes_per_open_step = 2200;   // what sender and receiver hold of it
constexpr double bytes_per_packet = 60;        // when it left
constexpr double bytes_per_value = 4;
constexpr double arrays_of_method = 4;                        // values of reference and timed ranks, and their messages
constexpr double arrays_of_lossy = 4;                         // corrected gradients, residuals, what was sent, the mean
constexpr double states_of_lossy = 2;                         // of its exchanges: reference and timed ranks
constexpr double bytes_per_waiting_message = 320;             // itself, its transfer, its place in a queue, its event
constexpr double bytes_per_past_message = 4 * sizeof(Time);   // its completion, in each result that it passes

/// Of address space: an array that grows stands there twice, and freed ones leave gaps.
constexpr double usable_share = 0.8;

/// Steps under way at once: all steps of the largest timestep, which are all steps where there is only one timestep.
struct UnderWay {
    double steps, ranks, slices;
    double operator()(const auto&) const { return std::min(steps, ranks * slices); }
    double operator()(const DirectParams&) const { return steps / 2; }
    double operator()(const HalvingDoublingParams&) const { return steps / 4; }
    double operator()(const AllToAllParams&) const { return steps; }
    double operator()(const FlowsParams&) const { return steps; }
    double operator()(const ListedScheduleParams&) const { return steps; }   // the widest that there could be
};
double steps_under_way(const Task& task, double steps) {
    const double slices = slices_of(task.collective) * channels_of(task.collective);
    return std::visit(UnderWay{steps, static_cast<double>(task.ranks), slices}, task.collective.params);
}

/// The messages of a collective that leave or arrive at once are those of different connections: the others of a
/// connection wait, and nothing is held for each of their packets.
struct ConnectionsOf {
    double ranks, steps;
    double operator()(const auto&) const { return steps; }
    double operator()(const FlowsParams& params) const { return distinct(params.flows); }
    double operator()(const ListedScheduleParams& params) const { return distinct(params.steps); }

private:
    template <class Message>
    double distinct(const std::vector<Message>& messages) const {
        std::set<std::pair<std::uint32_t, std::uint32_t>> ends;
        for (const Message& message : messages) ends.emplace(message.from, message.to);
        return ends.empty() ? ranks : static_cast<double>(ends.size());
    }
};

/// The parts that a slice of a bucket is sent in, which are as large as each other.
struct PartsOf {
    std::uint32_t ranks;
    double operator()(const auto&) const { return ranks; }
    double operator()(const FlowsParams& params) const {
        return static_cast<double>(params.flows.empty() ? std::size_t{ranks} : params.flows.size());
    }
    double operator()(const ListedScheduleParams& params) const { return chunks_of(params, ranks); }
};

/// Packets of which something is held at once.
double packets_under_way(const Parameters& p, const Task& task, double under_way) {
    const auto& params = task.collective.params;
    const double parts = std::visit(PartsOf{task.ranks}, params) * slices_of(task.collective);
    const double messages =
        std::min(under_way, std::visit(ConnectionsOf{static_cast<double>(task.ranks), under_way}, params));
    return messages * std::max(1.0, task.size / static_cast<double>(p.network.packet.count) / parts);
}

/// Steps that differ in times or sizes from those before them: all of them where messages carry values or timesteps
/// are not kept, at most one of each timestep and rank of a ring whose ranks are alike.
double distinct_steps(const Parameters& p, const Task& task, double steps) {
    const bool regular = p.payload == Payload::synthetic && p.start_jitter == Time{} &&
                         std::holds_alternative<RingParams>(task.collective.params);
    return regular ? steps / task.ranks : steps;
}

std::string size_text(double bytes) {
    return bytes >= 1e9 ? fmt::format("{:.1f} GB", bytes / 1e9) : fmt::format("{:.0f} MB", bytes / 1e6);
}

/// The first number in a file such as /proc/meminfo, after the word `name` if one is given; none if there is none.
std::optional<double> number_in(const std::filesystem::path& file, const std::string& name = "") {
    std::ifstream in(file);
    for (std::string word; in >> word;)
        if (name.empty()) return word == "max" ? std::nullopt : std::optional(std::stod(word));
        else if (double number = 0; word == name && in >> number) return number;
    return std::nullopt;
}

/// The address space that this process has, in KiB; 0 where the system does not say.
double used_kilobytes(const std::filesystem::path& root) {
    return number_in(root / "proc/self/status", "VmSize:").value_or(0);
}

/// What the hungriest method holds, in arrays with as many words as all ranks have values.
double arrays_of_methods(const Parameters& p) {
    double result = arrays_of_method;
    for (const Method& method : p.methods)
        if (method.lossy)
            result = std::max(result, arrays_of_lossy + states_of_lossy * held_words_per_value(p, method));
    return result;
}

/// Bytes of as many words as all ranks have values.
double bytes_of_array(const Parameters& p, std::uint64_t elements) {
    return bytes_per_value * static_cast<double>(p.ranks) * static_cast<double>(elements);
}

/// See concurrent_methods. `bytes`: of one method.
std::size_t those_at_once(const Parameters& p, double bytes) {
    constexpr double all = 1 << 30;
    return static_cast<std::size_t>(
        std::clamp(all / bytes, 1.0, static_cast<double>(std::max<std::size_t>(1, p.methods.size()))));
}

void check_needs(const Experiment& experiment, const std::vector<MemoryNeed>& needs) {
    if (const auto problem = find_memory_problem(needs, available_memory()))
        at_path(experiment.source, problem->key).fail(problem->text);
}

std::vector<MemoryNeed> needs_of(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    return {memory_of_steps(p, cabled.topology.switches, cabled.topology.island), memory_of_values(p, cabled.elements)};
}

}   // namespace

MemoryNeed memory_of_steps(const Parameters& p, std::uint32_t switches, std::uint32_t island) {
    const std::uint32_t of_all_ranks = p.jobs.empty() ? island : 1;
    double steps = 0, distinct = 0, under_way = 0, packets = 0;
    for (const Task& task : tasks_of(p)) {
        const auto of_all = static_cast<double>(count_steps(task.collective, task.ranks, switches, of_all_ranks));
        const double at_once = steps_under_way(task, of_all) / ranks_for_each(p);
        steps += of_all / ranks_for_each(p);
        distinct += distinct_steps(p, task, of_all / ranks_for_each(p));
        under_way += at_once;
        packets += packets_under_way(p, task, at_once);
    }
    const double plans = p.payload == Payload::synthetic ? 1 : static_cast<double>(p.methods.size());
    return {p.jobs.empty() ? "collective" : "jobs",
            fmt::format("{:.0f} steps and the packets that are under way at once", steps),
            "choose fewer ranks, slices or channels, another collective, or larger packets",
            plans * (steps * bytes_per_step + distinct * bytes_per_distinct) + under_way * bytes_per_open_step +
                packets * bytes_per_packet};
}

std::size_t concurrent_methods(const Parameters& p, std::uint64_t elements) {
    return those_at_once(p, arrays_of_methods(p) * bytes_of_array(p, elements));
}

MemoryNeed memory_of_values(const Parameters& p, std::uint64_t elements) {
    MemoryNeed need{"ranks", fmt::format("{} values of each of {} ranks", elements, p.ranks),
                    "choose fewer ranks, layers or methods, or payload: synthetic with a size"};
    if (p.payload == Payload::synthetic) return need;
    const double gradients = 2 * bytes_of_array(p, elements);   // and codes
    const double method = arrays_of_methods(p) * bytes_of_array(p, elements);
    need.bytes = gradients + static_cast<double>(std::min(p.methods.size(), those_at_once(p, method))) * method;
    return need;
}

MemoryNeed memory_of_background(const Parameters& p, const Routes& routes) {
    const BackgroundParams& params = *p.network.background;
    const auto loads = background_load(params, p.network, routes, nic_latencies_of(p));
    Time duration;
    for (const Task& task : tasks_of(p)) duration = std::max(duration, duration_of(p, task, routes, loads));

    const double packets = static_cast<double>(packets_of(params.message.count, p.network.packet));
    const double wire =
        static_cast<double>(params.message.count) + packets * static_cast<double>(p.network.header.count);
    const auto messages = [&](double gbps, Time time) { return gbps * static_cast<double>(time.ps) / 8000 / wire; };
    double offered = 0, excess = 0;
    Time nic;
    for (const Time latency : nic_latencies_of(p)) nic = std::max(nic, latency);
    for (const OfferedLoad& load : loads) {
        if (!routes.topology().is_switch(routes.topology().edges[load.edge].from)) offered += load.offered;
        excess += std::max(0.0, load.offered - load.carried);
    }
    const double all = messages(offered, duration);
    const double waiting = std::min(all, messages(excess, duration) + messages(offered, nic));
    return {"network.background",
            fmt::format("{:.3g} background messages in the {:.3g} ms that the collective takes, {:.3g} of which wait",
                        all, static_cast<double>(duration.ps) / 1e9, waiting),
            "choose larger messages, a lower load or fewer nodes",
            all * bytes_per_past_message + waiting * packets * bytes_per_waiting_message};
}

std::optional<MemoryProblem> find_memory_problem(const std::vector<MemoryNeed>& needs, double available) {
    const double all =
        std::accumulate(needs.begin(), needs.end(), 0.0, [](double sum, const MemoryNeed& n) { return sum + n.bytes; });
    if (all <= available) return std::nullopt;
    const MemoryNeed& most = *std::ranges::max_element(needs, {}, &MemoryNeed::bytes);
    return MemoryProblem{
        most.key, fmt::format("the run needs about {} of memory, of which {} are free, most of it ({}) for "
                              "{}; {}",
                              size_text(all), size_text(available), size_text(most.bytes), most.what, most.remedy)};
}

double available_memory(const std::filesystem::path& root) {
    double available = std::numeric_limits<double>::infinity();
    if (const auto kilobytes = number_in(root / "proc/meminfo", "MemAvailable:")) available = 1024 * *kilobytes;
    const std::filesystem::path cgroup = root / "sys/fs/cgroup";
    const auto group = number_in(cgroup / "memory.max"), used = number_in(cgroup / "memory.current");
    const double cached = number_in(cgroup / "memory.stat", "file").value_or(0);   // can be taken back
    if (group && used) available = std::min(available, *group - *used + cached);
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        available =
            std::min(available, usable_share * (static_cast<double>(limit.rlim_cur) - 1024 * used_kilobytes(root)));
    return available;
}

void check_memory(const CabledExperiment& cabled) { check_needs(cabled.experiment, needs_of(cabled)); }

void check_memory_of_background(const CabledExperiment& cabled) {
    if (!has_background(cabled.experiment.parameters)) return;
    std::vector<MemoryNeed> needs = needs_of(cabled);
    needs.push_back(memory_of_background(cabled.experiment.parameters, routes_of(cabled)));
    check_needs(cabled.experiment, needs);
}

}   // namespace oscar
