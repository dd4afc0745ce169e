#include "sim/checks/effort/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/collective/algorithms/step_count.hpp"
#include "models/job/schedule_on.hpp"
#include "models/network/event/background_load.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/network/transport/damage.hpp"
#include "models/network/transport/protocols.hpp"
#include "sim/checks/effort/tasks.hpp"
#include "sim/parameters/jobs.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

// Measured on a core of 2024; a run beside other work takes longer.
constexpr double seconds_per_method = 0.02;   // its plan, states and report, however little it sends
constexpr double seconds_per_step = 2e-6, seconds_per_packet = 0.6e-6, seconds_per_value = 12e-9;
constexpr double long_run_s = 60, value_bytes = 4;
constexpr std::size_t sampled_paths = 256;

using Pairs = std::vector<std::pair<Rank, Rank>>;

/// The mean number of links in the paths of at most 256 of the pairs, spread evenly.
double mean_links(const Routes& routes, const Pairs& pairs) {
    if (pairs.empty()) return 0;
    const std::size_t step = (pairs.size() + sampled_paths - 1) / sampled_paths;
    double links = 0, paths = 0;
    for (std::size_t i = 0; i < pairs.size(); i += step, ++paths)
        links += static_cast<double>(routes.path(pairs[i].first, pairs[i].second).size());
    return links / paths;
}

/// The number of times that a packet of a message of `packets` is sent until it has come, acknowledgements not counted:
/// with go-back-N each loss also costs the packets that follow it.
double transmissions(const NetworkParams& network, double share, double packets) {
    if (const auto* back = std::get_if<GoBackNParams>(&network.reliability.params))
        return 1 + (1 - share) / share * std::min<double>(back->window, std::max(1.0, packets));
    return 1 / share;
}

/// The links that the packets of one iteration and method cross in one bucket, answers and repetitions included.
double crossings(const NetworkParams& network, double packets, double packets_of_message, double links) {
    if (std::holds_alternative<LinkRetryParams>(network.reliability.params))   // each link repeats its own
        return packets * links / delivered_share(network, 1);
    const double share = delivered_share(network, links);
    const double answers = is_end_to_end(network.reliability) ? 2 : 1;
    return packets * links * answers * transmissions(network, share, packets_of_message);
}

/// The number of chunks that the values of `task` are cut into; for listed flows, its number of steps.
double chunks_of(const Task& task, double steps) {
    if (std::holds_alternative<FlowsParams>(task.collective.params)) return steps;
    if (const auto* listed = std::get_if<ListedScheduleParams>(&task.collective.params))
        return static_cast<double>(chunks_of(*listed, task.ranks)) * listed->slices;
    return static_cast<double>(task.ranks) * slices_of(task.collective) * channels_of(task.collective);
}

double packets_of_step(const Parameters& p, const Task& task, double steps) {
    return std::ceil(task.size / chunks_of(task, steps) / static_cast<double>(p.network.packet.count));
}

/// The number of timeouts that the sender of a message of `packets` waits for, where a share of them comes whole. A
/// lost packet is asked for once, so that a timeout stands for a second loss; selective repeat sends again all that a
/// window lost.
double timeouts(const Reliability& reliability, double share, double packets) {
    const double lost = 1 - share;
    if (!is_end_to_end(reliability) || lost <= 0) return 0;
    const double by_packet = packets * lost * lost / share + lost;   // nobody asks for the last
    const auto* selective = std::get_if<SelectiveParams>(&reliability.params);
    if (selective == nullptr) return by_packet;
    const double window = std::min<double>(selective->window, packets);
    return std::min(by_packet, std::ceil(packets / window) * std::log(1 + window) / -std::log(lost) + lost);
}

double steps_of(const Parameters& p, const Task& task, const Topology& topology) {
    const std::uint32_t island = p.jobs.empty() ? topology.island : 1;
    return static_cast<double>(count_steps(task.collective, task.ranks, topology.switches, island));
}

/// The time that timeouts add to a collective, timestep by timestep.
Time repair_time(const Parameters& p, const Task& task, const Routes& routes, double links) {
    const auto timeout = timeout_of(p.network.reliability);
    if (!timeout) return {};
    const auto steps = steps_of(p, task, routes.topology());
    const double waits =
        timeouts(p.network.reliability, delivered_share(p.network, links), packets_of_step(p, task, steps));
    if (waits == 0) return {};
    const Schedule schedule =
        p.jobs.empty() ? schedule_on(task.collective, routes.topology()) : make_schedule(task.collective, task.ranks);
    constexpr double most_ps = 1e17;   // a day
    return Time{
        static_cast<std::int64_t>(std::min(most_ps, schedule.timesteps() * waits * static_cast<double>(timeout->ps)))};
}

double messages_of_background(const Parameters& p, const Routes& routes, const std::vector<Task>& tasks, double links) {
    const auto loads = background_load(*p.network.background, p.network, routes, nic_latencies_of(p));
    Time duration;
    for (const Task& task : tasks)
        duration = std::max(duration, duration_of(p, task, routes, loads) + repair_time(p, task, routes, links));
    double offered = 0;   // Gbit/s
    for (const OfferedLoad& load : loads)
        if (!routes.topology().is_switch(routes.topology().edges[load.edge].from)) offered += load.offered;
    return offered * static_cast<double>(duration.ps) / 8000 / static_cast<double>(p.network.background->message.count);
}

/// Adds the work of one iteration by one method, with the background traffic beside it. `links`: the mean number that a
/// packet crosses; 0 where packets count nothing.
void add_collectives(RunEffort& effort, const Parameters& p, const Routes& routes, const std::vector<Task>& tasks,
                     double links) {
    for (const Task& task : tasks) {
        const auto steps = steps_of(p, task, routes.topology()) / ranks_for_each(p);
        const double chunks = chunks_of(task, steps);
        const double packets = packets_of_step(p, task, steps);
        effort.steps += steps;
        effort.packets += crossings(p.network, steps * packets, packets, links);
        if (p.payload != Payload::synthetic) effort.values += steps * task.size / chunks / value_bytes;
    }
    if (!has_background(p) || links == 0) return;
    const BackgroundParams& background = *p.network.background;
    const auto packets = static_cast<double>(packets_of(background.message.count, p.network.packet));
    const double messages = messages_of_background(p, routes, tasks, links);
    effort.steps += messages;             // each is begun and ended as a step is
    NetworkParams unharmed = p.network;   // faults hit packets of the collective alone
    unharmed.faults.reset();
    effort.packets += crossings(unharmed, messages * packets, packets,
                                mean_links(routes, BackgroundReceivers(background, p.ranks).pairs()));
}

double iterations_of(const Parameters& p) { return p.payload == Payload::synthetic ? 1 : p.iterations.count; }

/// At fidelity flit every flit crosses by itself.
double grains_of_packet(const Parameters& p) {
    return p.fidelity == TimingFidelity::flit
               ? static_cast<double>(p.network.packet.count) / static_cast<double>(p.network.flit.count)
               : 1;
}

}   // namespace

double RunEffort::seconds() const {
    return runs * seconds_per_method + steps * seconds_per_step + packets * seconds_per_packet +
           values * seconds_per_value;
}

double delivered_share(const NetworkParams& network, double links) {
    const double lost = network.loss.rate + damage_of(network.packet + network.header, network.loss.bit_error_rate);
    double share = std::pow(1 - std::min(0.99, lost), links);
    if (network.faults) share *= (1 - network.faults->drop) * (1 - network.faults->flip);
    return std::max(share, 1e-9);
}

RunEffort effort_of(const Parameters& p, const Routes& routes, std::span<const std::uint64_t> buckets) {
    RunEffort effort;
    const std::vector<Task> tasks = tasks_of(p);
    const bool by_message = p.fidelity == TimingFidelity::message;   // whose packets cost next to nothing
    const double links = by_message ? 0 : mean_links(routes, flows_of(p, routes.topology()));
    if (buckets.empty()) add_collectives(effort, p, routes, tasks, links);
    for (const std::uint64_t elements : buckets)
        add_collectives(effort, p, routes, {{p.collective, p.ranks, 4 * static_cast<double>(elements)}}, links);
    const double runs = static_cast<double>(p.methods.size()) * iterations_of(p);
    return {runs * effort.steps, runs * effort.packets * grains_of_packet(p), runs * effort.values, runs};
}

std::optional<std::string> note_on_effort(const RunEffort& effort) {
    if (effort.seconds() < long_run_s) return std::nullopt;
    return fmt::format(
        "about {:.2g} min of a core: {:.2g} steps, {:.2g} crossings of links by packets, {:.2g} values coded or added, "
        "in {:.4g} iterations of methods; fewer methods, iterations or slices, larger packets, less loss or background "
        "traffic, or fidelity: message make it shorter",
        effort.seconds() / 60, effort.steps, effort.packets, effort.values, effort.runs);
}

}   // namespace oscar
