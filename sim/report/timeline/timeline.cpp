#include "sim/report/timeline/timeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "models/core/merged_spans.hpp"

#include "sim/report/causes/bottleneck.hpp"
#include "sim/report/causes/critical_steps.hpp"

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;

/// What a timeline is made of; times of spans are from the first rank's start.
class Picture {
public:
    Picture(const Outcome& of, const Schedule& by, Time offset, const TimelineWindow& window)
        : outcome(of), schedule(by), offset_(offset), window_(window) {}

    bool shows(Span span) const { return window_.shows(at(span)); }
    void slice(int process, int track, std::string name, Span span, Json args = {}) {
        if (shows(span)) events.slice(process, track, std::move(name), at(span), std::move(args));
    }
    void arrow(char end, std::uint32_t id, int process, int track, Time time) {
        events.arrow(end, id, process, track, time + offset_);
    }
    /// A counter with its changes; one before the window tells what it begins with there.
    void counter(int process, const std::string& name, const std::vector<SignalChange>& changes) {
        const Time begin = window_.from - offset_;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            const bool before = changes[i].at < begin;
            if (before && i + 1 < changes.size() && changes[i + 1].at <= begin) continue;
            const Time at = before ? begin : changes[i].at;
            if (shows({at, at})) events.counter(process, name, at + offset_, {{"value", changes[i].value}});
        }
    }
    /// Spans relative to the job's begin, in order, as busy time of a unit.
    void busy(int process, int track, const char* name, const std::vector<Span>& spans);

    const Outcome& outcome;
    const Schedule& schedule;
    TraceEvents events;

private:
    Span at(Span span) const { return {span.begin + offset_, span.end + offset_}; }

    Time offset_;
    TimelineWindow window_;
};

/// A span relative to the job's begin, from the first rank's start.
Span from_start(const Picture& picture, Span span) {
    return {span.begin - picture.outcome.first_start, span.end - picture.outcome.first_start};
}

void Picture::busy(int process, int track, const char* name, const std::vector<Span>& spans) {
    if (spans.empty()) return;
    events.name_track(process, track, name);
    for (const Span& span : merged(spans)) slice(process, track, "busy", from_start(*this, span));
}

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

constexpr int sends_track = 1'000, arrivals_track = 1'000'000;   // the first of as many as overlap

std::string name_of(const Schedule& schedule, StepId id) {
    const Step& step = schedule.steps[id.value];
    return fmt::format("{}->{} chunk {}, timestep {}", name_of_participant(step.from, schedule),
                       name_of_participant(step.to, schedule), step.chunk.value, step.timestep.value);
}

Json causes_of(const CriticalPath& path) {
    if (!has_own_causes(path)) return {{"causes", "a unit was still busy with an earlier step"}};
    Json args;
    for (const Bottleneck& cause : bottlenecks)
        args[fmt::format("{} us", cause.name)] = static_cast<double>(path.*cause.cause) / 1e6;
    return args;
}

void add_critical_path(Picture& picture, const std::vector<CriticalStep>& steps,
                       const std::vector<PhaseBefore>& before) {
    picture.events.name_process(critical_process, "critical path");
    picture.events.name_track(critical_process, critical_track, "what decided the end");
    Time at;
    for (const PhaseBefore& phase : before) at -= phase.time;
    for (const auto& [name, time] : before) {
        if (time > Time{}) picture.slice(critical_process, critical_track, name, {at, at + time});
        at += time;
    }
    const Time start = picture.outcome.first_start;
    if (!steps.empty() && steps.front().begin > start)
        picture.slice(critical_process, critical_track, "start of a rank", {Time{}, steps.front().begin - start});
    for (const CriticalStep& step : steps)
        picture.slice(critical_process, critical_track,
                      fmt::format("{}: {}", cause_of(step.path), name_of(picture.schedule, step.step)),
                      {step.begin - start, step.end - start}, causes_of(step.path));
}

/// The units of a rank, with names and the places of their tracks.
struct Unit {
    int track;
    const char* name;
    const std::vector<Span>& busy;
};

std::array<Unit, 7> units_of(const RankUse& rank) {
    return {Unit{1, "encoder", rank.encoder},
            {2, "decoder", rank.decoder},
            {3, "DMA read", rank.dma_read.spans},
            {4, "DMA write", rank.dma_write.spans},
            {5, "adders", rank.noted.adders},
            {6, "port reads", rank.noted.port_reads},
            {7, "port additions", rank.noted.port_additions}};
}

/// The number of spans in the window that is shown.
template <class Container>
std::size_t count_shown(const Picture& picture, const Container& spans) {
    std::size_t shown = 0;
    for (const Span& span : spans) shown += picture.shows(from_start(picture, span)) ? 1 : 0;
    return shown;
}

void add_links(Picture& picture) {
    picture.events.name_process(links_process, "links");
    std::size_t shown = 0;
    for (const LinkUse& link : picture.outcome.links) shown += count_shown(picture, link.busy);
    if (shown > most_spans_shown) return;
    int track = 0;
    for (const LinkUse& link : picture.outcome.links)
        picture.busy(links_process, ++track, link.name.c_str(), link.busy.all());
}

void add_units(Picture& picture) {
    std::size_t spans = 0;
    for (const RankUse& rank : picture.outcome.ranks)
        for (const Unit& unit : units_of(rank)) spans += count_shown(picture, unit.busy);
    const bool shown = spans <= most_spans_shown;
    for (std::uint32_t r = 0; r < picture.schedule.participants(); ++r) {
        const int process = first_rank_process + static_cast<int>(r);
        picture.events.name_process(process, name_of_participant(Rank{r}, picture.schedule));
        for (const Unit& unit : units_of(picture.outcome.ranks[r]))
            if (shown) picture.busy(process, unit.track, unit.name, unit.busy);
    }
}

/// From the issue of a step until its last bit is on the wire.
Span send_of(const Picture& picture, StepId id) {
    const StepTimes& times = picture.outcome.steps[id.value];
    return from_start(picture, {times.issued, times.sent});
}

/// From then until what depends on it may start.
Span arrival_of(const Picture& picture, StepId id) {
    const StepTimes& times = picture.outcome.steps[id.value];
    return from_start(picture, {times.sent, times.ready});
}

/// The steps that are shown, in the order of their issue.
std::vector<StepId> shown_steps(const Picture& picture, const std::vector<CriticalStep>& critical) {
    std::vector<StepId> steps;
    const auto shows = [&](StepId id) {
        return picture.shows(send_of(picture, id)) || picture.shows(arrival_of(picture, id));
    };
    for (std::uint32_t i = 0; i < picture.outcome.steps.size(); ++i)
        if (shows(StepId{i})) steps.push_back(StepId{i});
    if (steps.size() > most_messages_shown) {
        steps.clear();
        for (const CriticalStep& step : critical)
            if (shows(step.step)) steps.push_back(step.step);
    }
    std::ranges::stable_sort(steps, {}, [&](StepId id) { return picture.outcome.steps[id.value].issued; });
    return steps;
}

/// Slices of one kind at the ranks, on as many lanes as overlap; calls each(step, process, track) with where it has put
/// a step's.
void add_slices(Picture& picture, const std::vector<StepId>& shown, const char* lane_name, int first_track,
                const auto& rank_of, const auto& span_of, const auto& each) {
    std::vector<StepId> steps = shown;
    std::ranges::stable_sort(steps, {}, [&](StepId id) { return span_of(picture, id).begin; });
    std::unordered_map<std::uint32_t, Lanes> lanes;
    for (const StepId id : steps) {
        const std::uint32_t rank = rank_of(picture.schedule.steps[id.value]).value;
        const Span span = span_of(picture, id);
        const int track = first_track + lanes[rank].take(span.begin, span.end),
                  process = first_rank_process + static_cast<int>(rank);
        picture.slice(process, track, name_of(picture.schedule, id), span);
        each(id, process, track);
    }
    for (const auto& [rank, used] : lanes)
        for (int lane = 0; lane < used.size(); ++lane)
            picture.events.name_track(first_rank_process + static_cast<int>(rank), first_track + lane,
                                      lane == 0 ? lane_name : fmt::format("{} ({})", lane_name, lane + 1));
}

/// An arrow leads from each send that is shown to an arrival that is.
void add_messages(Picture& picture, const std::vector<StepId>& steps) {
    const auto end_of_arrow = [&](char end, const auto& span_of) {
        return [&picture, end, &span_of](StepId id, int process, int track) {
            if (picture.shows(send_of(picture, id)) && picture.shows(arrival_of(picture, id)))
                picture.arrow(end, id.value, process, track, span_of(picture, id).begin);
        };
    };
    add_slices(
        picture, steps, "sends", sends_track, [](const Step& step) { return step.from; }, send_of,
        end_of_arrow('s', send_of));
    add_slices(
        picture, steps, "arrivals", arrivals_track, [](const Step& step) { return step.to; }, arrival_of,
        end_of_arrow('f', arrival_of));
}

/// How many messages each rank is sending, and how many are arriving at it.
void add_counters(Picture& picture, const std::vector<StepId>& steps) {
    std::map<std::uint32_t, std::array<Level, 2>> of_ranks;
    for (const StepId id : steps) {
        const Step& step = picture.schedule.steps[id.value];
        of_ranks[step.from.value][0].add_busy(send_of(picture, id));
        of_ranks[step.to.value][1].add_busy(arrival_of(picture, id));
    }
    const Time end = picture.outcome.duration();
    for (const auto& [rank, levels] : of_ranks)
        for (const auto& [level, name] : {std::pair{&levels[0], "messages sending"}, {&levels[1], "messages arriving"}})
            picture.counter(first_rank_process + static_cast<int>(rank), name, level->changes(Time{}, Time{}, end));
}

/// Of a waveform, if one is recorded: queues, credits and what else modules show.
void add_signals(Picture& picture) {
    if (picture.outcome.waveform.empty()) return;
    picture.events.name_process(signals_process, "signals");
    for (const Signal& signal : picture.outcome.waveform) picture.counter(signals_process, signal.name, signal.changes);
}

}   // namespace

TraceEvents timeline_of(const Outcome& outcome, const Schedule& schedule, const std::vector<PhaseBefore>& before,
                        const TimelineWindow& window) {
    Time offset;
    for (const PhaseBefore& phase : before) offset += phase.time;
    Picture picture(outcome, schedule, offset, window);
    const auto critical = critical_steps(outcome, schedule);
    add_critical_path(picture, critical, before);
    add_links(picture);
    add_units(picture);
    const std::vector<StepId> steps = shown_steps(picture, critical);
    add_messages(picture, steps);
    add_counters(picture, steps);
    add_signals(picture);
    return std::move(picture.events);
}

}   // namespace oscar
