#include "sim/report/causes/longest_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/collective/schedule/connections.hpp"
#include "sim/report/causes/critical_steps.hpp"

namespace oscar {
namespace {

/// Connections beyond which those of a link are not counted.
constexpr std::size_t most_connections_counted = 20'000;
/// A link that is busy for this share of a step's time is named as what the step waited for.
constexpr double busy_enough = 0.5;

/// The time within [begin, end) in which a link was busy; its spans do not overlap.
std::int64_t busy_within(const LinkUse& link, Time begin, Time end) {
    std::int64_t busy = 0;
    for (const Span& span : link.busy)
        if (span.begin < end && begin < span.end) busy += (std::min(span.end, end) - std::max(span.begin, begin)).ps;
    return busy;
}

/// Connections among ranks whose route crosses the link.
std::uint32_t connections_over(EdgeId edge, const Schedule& schedule, const Routes& routes) {
    const auto connections = connections_of(schedule);
    if (connections.size() > most_connections_counted) return 0;
    return static_cast<std::uint32_t>(std::ranges::count_if(connections, [&](const Connection& connection) {
        if (std::max(connection.from, connection.to).value >= schedule.ranks) return false;   // from or to a switch
        const std::span<const Hop> path = routes.path(connection.from, connection.to);
        return std::ranges::find(path, edge, &Hop::edge) != path.end();
    }));
}

/// Sets the link of the step's route that was busiest in its time.
void find_link(LongestStep& found, const CriticalStep& critical, const Outcome& outcome, const Schedule& schedule,
               const Routes& routes) {
    const Step& step = schedule.steps[critical.step.value];
    if (routes.sprays() || std::max(step.from.value, step.to.value) >= schedule.ranks || found.time_ps <= 0) return;
    const std::span<const Hop> path = routes.path(step.from, step.to);
    const auto busy = [&](const Hop& hop) {
        return busy_within(outcome.links[hop.edge], critical.begin, critical.end);
    };
    const auto busiest = std::ranges::max_element(path, {}, busy);
    if (busiest == path.end()) return;
    found.link = outcome.links[busiest->edge].name;
    found.link_busy = static_cast<double>(busy(*busiest)) / static_cast<double>(found.time_ps);
    found.link_connections = connections_over(busiest->edge, schedule, routes);
}

std::string sentence_of(const LongestStep& step) {
    std::string text = fmt::format("{}->{} (slice {}, timestep {}) takes longest, {:.1f} us", step.from, step.to,
                                   step.slice, step.timestep, static_cast<double>(step.time_ps) * 1e-6);
    if (step.link.empty() || step.link_busy < busy_enough) return text;
    text += fmt::format(": its way leads over {}, which is busy for {:.0f} % of that time", step.link,
                        100 * step.link_busy);
    if (step.link_connections > 1) text += fmt::format(" and which {} connections share", step.link_connections);
    return text;
}

}   // namespace

std::optional<LongestStep> longest_step(const Outcome& outcome, const Plan& plan, std::uint32_t slices,
                                        const Routes& routes) {
    if (outcome.steps.size() > most_steps_searched || !plan.turns.empty()) return std::nullopt;
    const Schedule& schedule = plan.schedule;
    const auto steps = critical_steps(outcome, schedule);
    const auto longest =
        std::ranges::max_element(steps, {}, [](const CriticalStep& step) { return step.end - step.begin; });
    if (longest == steps.end()) return std::nullopt;
    const Step& step = schedule.steps[longest->step.value];
    LongestStep found;
    found.from = name_of_participant(step.from, schedule);
    found.to = name_of_participant(step.to, schedule);
    found.slice = step.chunk.value / std::max(1u, schedule.chunks / slices);
    found.timestep = step.timestep.value;
    found.begin_ps = (longest->begin - outcome.first_start).ps;
    found.time_ps = (longest->end - longest->begin).ps;
    found.cause = cause_of(longest->path);
    find_link(found, *longest, outcome, schedule, routes);
    found.sentence = sentence_of(found);
    return found;
}

}   // namespace oscar
