#include "sim/report/metrics.hpp"

#include <boost/icl/interval_set.hpp>
#include <span>

#include "models/collective/step_lists.hpp"

namespace oscar {
namespace {

using Intervals = boost::icl::interval_set<std::int64_t>;

void add(Intervals& intervals, Time begin, Time end) {
    if (begin < end) intervals.add(boost::icl::interval<std::int64_t>::right_open(begin.ps, end.ps));
}

Intervals of(const std::vector<Span>& spans) {
    Intervals intervals;
    for (const Span span : spans) add(intervals, span.begin, span.end);
    return intervals;
}

std::int64_t length(const Intervals& intervals) { return boost::icl::length(intervals); }

/// Where rank r had something of its own to do: a step issued but not all sent, or a block to decode.
Intervals own_activity(const Outcome& outcome, std::span<const StepId> sends, std::uint32_t r) {
    Intervals active = of(outcome.ranks[r].decoder);
    for (const StepId step : sends) add(active, outcome.steps[step.value].issued, outcome.steps[step.value].sent);
    return active;
}

struct RankSplit {
    std::int64_t codec = 0, wire = 0;    ///< time
    std::int64_t window = 0, idle = 0;   ///< between first and last use of the link; of that, waiting for other ranks
};

/// `sends`: the steps of rank r.
RankSplit split(const Outcome& outcome, std::span<const StepId> sends, std::uint32_t r) {
    const RankUse& use = outcome.ranks[r];
    const Intervals wire = of(use.wire);
    RankSplit result;
    result.wire = length(wire);
    result.codec = length((of(use.encoder) + of(use.decoder)) - wire);
    if (wire.empty()) return result;
    Intervals window;
    add(window, Time{boost::icl::first(wire)}, Time{boost::icl::last(wire) + 1});
    result.window = length(window);
    result.idle = length(window - wire - own_activity(outcome, sends, r));
    return result;
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::vector<LinkShare> shares_of_links(const Outcome& outcome) {
    std::vector<LinkShare> shares;
    for (const LinkUse& link : outcome.links)
        if (link.packets > 0)
            shares.push_back(
                {link.name,
                 ratio(static_cast<double>(length(of(link.busy))), static_cast<double>(outcome.duration().ps)),
                 link.wire_bytes});
    return shares;
}

double mean_utilisation(const std::vector<LinkShare>& links) {
    double sum = 0;
    for (const LinkShare& link : links) sum += link.utilisation;
    return ratio(sum, static_cast<double>(links.size()));
}

void add_rank_times(IterationResult& result, const Outcome& outcome, const Schedule& schedule) {
    const StepLists sends = steps_by_sender(schedule);
    RankSplit sum;
    double engine = 0;
    for (std::uint32_t r = 0; r < schedule.ranks; ++r) {
        const RankSplit rank = split(outcome, sends[r], r);
        sum.codec += rank.codec;
        sum.wire += rank.wire;
        sum.window += rank.window;
        sum.idle += rank.idle;
        engine += static_cast<double>(length(of(outcome.ranks[r].encoder)) + length(of(outcome.ranks[r].decoder)));
    }
    result.codec_ps = sum.codec / schedule.ranks;
    result.wire_ps = sum.wire / schedule.ranks;
    result.wait_ps = outcome.duration().ps - result.codec_ps - result.wire_ps;
    result.link_window_ps = sum.window;
    result.idle_wait_share = ratio(static_cast<double>(sum.idle), static_cast<double>(sum.window));
    result.engine_utilisation = ratio(engine, 2.0 * schedule.ranks * static_cast<double>(outcome.duration().ps));
}

}   // namespace

std::int64_t add_time(IterationResult& result, const CriticalPath& path) {
    const std::int64_t ps = path.total_ps();
    result.allreduce_ps += ps;
    if (result.closed_form_ps) *result.closed_form_ps += ps;
    result.critical_path += path;
    return ps;
}

IterationResult measure(const Outcome& outcome, const Plan& plan) {
    IterationResult result;
    result.allreduce_ps = outcome.duration().ps;
    result.critical_path = outcome.path;
    for (const Sent& sent : outcome.sent) {
        result.payload_bytes += sent.bytes;
        result.values += sent.values;
    }
    for (const std::uint64_t bytes : outcome.wire_bytes) result.wire_bytes += bytes;
    result.transport = outcome.transport;
    if (result.transport) result.wire_bytes += result.transport->retransmitted_bytes + result.transport->answer_bytes;
    result.resent_messages = outcome.resent.messages;
    result.resent_bytes = outcome.resent.bytes;
    result.imbalance = imbalance(plan.schedule, outcome.sent);
    result.links = shares_of_links(outcome);
    result.link_utilisation = mean_utilisation(result.links);
    add_rank_times(result, outcome, plan.schedule);
    return result;
}

}   // namespace oscar
