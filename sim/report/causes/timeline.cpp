#include "sim/report/causes/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "sim/report/causes/bottleneck.hpp"
#include "sim/report/causes/critical_steps.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// In order, those that touch as one.
std::vector<Span> joined(std::vector<Span> spans) {
    std::ranges::sort(spans, {}, &Span::begin);
    std::vector<Span> result;
    for (const Span span : spans) append(result, span);
    return result;
}

/// Events of a trace, as they are written.
class Trace {
public:
    explicit Trace(Time offset) : offset_(offset) {}

    void name_process(int pid, const std::string& name) {
        events_.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", pid}, {"args", {{"name", name}}}});
        events_.push_back({{"ph", "M"}, {"name", "process_sort_index"}, {"pid", pid}, {"args", {{"sort_index", pid}}}});
    }
    void name_track(int pid, int tid, const std::string& name) {
        events_.push_back(
            {{"ph", "M"}, {"name", "thread_name"}, {"pid", pid}, {"tid", tid}, {"args", {{"name", name}}}});
    }
    void slice(int pid, int tid, const std::string& name, Time begin, Time end, const Json& args = {}) {
        Json event{{"ph", "X"},
                   {"name", name},
                   {"pid", pid},
                   {"tid", tid},
                   {"ts", us(begin + offset_)},
                   {"dur", us(end - begin)}};
        if (!args.is_null()) event["args"] = args;
        events_.push_back(std::move(event));
    }
    /// One end of an arrow: 's' where it starts, 'f' where it ends.
    void arrow(char end, std::uint32_t id, int pid, int tid, Time at) {
        Json event{{"ph", std::string(1, end)},
                   {"cat", "message"},
                   {"name", "message"},
                   {"id", id},
                   {"pid", pid},
                   {"tid", tid},
                   {"ts", us(at + offset_)}};
        if (end == 'f') event["bp"] = "e";
        events_.push_back(std::move(event));
    }
    std::string text() const { return Json{{"displayTimeUnit", "ns"}, {"traceEvents", events_}}.dump() + "\n"; }

private:
    /// Six decimals are picoseconds; a double holds those of days.
    static double us(Time time) { return static_cast<double>(time.ps) / 1e6; }

    Time offset_;
    Json events_ = Json::array();
};

/// Tracks side by side for slices that overlap.
class Lanes {
public:
    /// The first lane that is free at `begin`; it is taken until `end`.
    int take(Time begin, Time end) {
        const auto free = std::ranges::find_if(ends_, [&](Time taken) { return taken <= begin; });
        const auto lane = static_cast<int>(free - ends_.begin());
        if (free == ends_.end()) ends_.push_back(end);
        else *free = end;
        return lane;
    }
    int size() const { return static_cast<int>(ends_.size()); }

private:
    std::vector<Time> ends_;
};

constexpr int critical_pid = 1, links_pid = 2, first_rank_pid = 10;
constexpr int encoder_tid = 1, decoder_tid = 2, dma_read_tid = 3, dma_write_tid = 4, sends_tid = 1'000,
              arrivals_tid = 1'000'000;

std::string name_of(const Schedule& schedule, StepId id) {
    const Step& step = schedule.steps[id.value];
    return fmt::format("rank{}->rank{} chunk {}, timestep {}", step.from.value, step.to.value, step.chunk.value,
                       step.timestep.value);
}

Json causes_of(const CriticalPath& path) {
    if (!has_own_causes(path)) return {{"causes", "a unit was still busy with an earlier step"}};
    Json args;
    for (const Bottleneck& cause : bottlenecks)
        args[fmt::format("{} us", cause.name)] = static_cast<double>(path.*cause.cause) / 1e6;
    return args;
}

void add_critical_path(Trace& trace, const std::vector<CriticalStep>& steps, const Outcome& outcome,
                       const Schedule& schedule, const std::vector<PhaseBefore>& before) {
    trace.name_process(critical_pid, "critical path");
    trace.name_track(critical_pid, 1, "what decided the end");
    Time at;
    for (const PhaseBefore& phase : before) at -= phase.time;
    for (const auto& [name, time] : before) {
        if (time > Time{}) trace.slice(critical_pid, 1, name, at, at + time);
        at += time;
    }
    const Time start = outcome.first_start;
    if (!steps.empty() && steps.front().begin > start)
        trace.slice(critical_pid, 1, "start of a rank", Time{}, steps.front().begin - start);
    for (const CriticalStep& step : steps)
        trace.slice(critical_pid, 1, fmt::format("{}: {}", cause_of(step.path), name_of(schedule, step.step)),
                    step.begin - start, step.end - start, causes_of(step.path));
}

void add_links(Trace& trace, const Outcome& outcome) {
    trace.name_process(links_pid, "links");
    int tid = 0;
    for (const LinkUse& link : outcome.links) {
        ++tid;
        if (link.busy.empty()) continue;
        trace.name_track(links_pid, tid, link.name);
        for (const Span& span : joined(link.busy))
            trace.slice(links_pid, tid, "busy", span.begin - outcome.first_start, span.end - outcome.first_start);
    }
}

/// Spans of all engines and their DMA together.
std::size_t spans_of(const Outcome& outcome) {
    std::size_t spans = 0;
    for (const RankUse& rank : outcome.ranks)
        spans += rank.encoder.size() + rank.decoder.size() + rank.dma_read.spans.size() + rank.dma_write.spans.size();
    return spans;
}

void add_engines(Trace& trace, const Outcome& outcome, const Schedule& schedule) {
    const bool few = spans_of(outcome) <= most_spans_shown;
    for (std::uint32_t r = 0; r < schedule.participants(); ++r) {
        const int pid = first_rank_pid + static_cast<int>(r);
        trace.name_process(pid, name_of_participant(Rank{r}, schedule));
        const auto track = [&](int tid, const char* name, const std::vector<Span>& busy) {
            if (busy.empty() || !few) return;
            trace.name_track(pid, tid, name);
            for (const Span& span : joined(busy))
                trace.slice(pid, tid, "busy", span.begin - outcome.first_start, span.end - outcome.first_start);
        };
        track(encoder_tid, "encoder", outcome.ranks[r].encoder);
        track(decoder_tid, "decoder", outcome.ranks[r].decoder);
        track(dma_read_tid, "DMA read", outcome.ranks[r].dma_read.spans);
        track(dma_write_tid, "DMA write", outcome.ranks[r].dma_write.spans);
    }
}

/// The steps that are shown, in the order of their issue.
std::vector<StepId> shown_steps(const Outcome& outcome, const std::vector<CriticalStep>& critical) {
    std::vector<StepId> steps;
    if (outcome.steps.size() > most_messages_shown)
        for (const CriticalStep& step : critical) steps.push_back(step.step);
    else
        for (std::uint32_t i = 0; i < outcome.steps.size(); ++i) steps.push_back(StepId{i});
    std::ranges::stable_sort(steps, {}, [&](StepId id) { return outcome.steps[id.value].issued; });
    return steps;
}

/// Slices of one kind at the ranks, on as many lanes as overlap; calls each(step, pid, tid) with where it has put a
/// step's.
template <class Each>
void add_slices(Trace& trace, const std::vector<StepId>& shown, const char* lane_name, int first_tid,
                const auto& rank_of, const auto& span_of, const auto& name, Each&& each) {
    std::vector<StepId> steps = shown;
    std::ranges::stable_sort(steps, {}, [&](StepId id) { return span_of(id).begin; });
    std::unordered_map<std::uint32_t, Lanes> lanes;
    for (const StepId id : steps) {
        const std::uint32_t rank = rank_of(id).value;
        const Span span = span_of(id);
        const int tid = first_tid + lanes[rank].take(span.begin, span.end),
                  pid = first_rank_pid + static_cast<int>(rank);
        trace.slice(pid, tid, name(id), span.begin, span.end);
        each(id, pid, tid);
    }
    for (const auto& [rank, used] : lanes)
        for (int lane = 0; lane < used.size(); ++lane)
            trace.name_track(first_rank_pid + static_cast<int>(rank), first_tid + lane,
                             lane == 0 ? lane_name : fmt::format("{} ({})", lane_name, lane + 1));
}

void add_messages(Trace& trace, const Outcome& outcome, const Schedule& schedule, const std::vector<StepId>& steps) {
    const auto name = [&](StepId id) { return name_of(schedule, id); };
    const auto times = [&](StepId id) { return outcome.steps[id.value]; };
    const auto send = [&](StepId id) {
        return Span{times(id).issued - outcome.first_start, times(id).sent - outcome.first_start};
    };
    const auto arrival = [&](StepId id) {
        return Span{times(id).sent - outcome.first_start, times(id).ready - outcome.first_start};
    };
    add_slices(
        trace, steps, "sends", sends_tid, [&](StepId id) { return schedule.steps[id.value].from; }, send, name,
        [&](StepId id, int pid, int tid) { trace.arrow('s', id.value, pid, tid, send(id).begin); });
    add_slices(
        trace, steps, "arrivals", arrivals_tid, [&](StepId id) { return schedule.steps[id.value].to; }, arrival, name,
        [&](StepId id, int pid, int tid) { trace.arrow('f', id.value, pid, tid, arrival(id).begin); });
}

}   // namespace

std::string timeline_text(const Outcome& outcome, const Schedule& schedule, const std::vector<PhaseBefore>& before) {
    Time offset;
    for (const PhaseBefore& phase : before) offset += phase.time;
    Trace trace(offset);
    const auto critical = critical_steps(outcome, schedule);
    add_critical_path(trace, critical, outcome, schedule, before);
    add_links(trace, outcome);
    add_engines(trace, outcome, schedule);
    add_messages(trace, outcome, schedule, shown_steps(outcome, critical));
    return trace.text();
}

}   // namespace oscar
