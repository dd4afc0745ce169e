#include "sim/report/timeline/trace_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace oscar {
namespace {

using Json = nlohmann::ordered_json;
using Text = std::back_insert_iterator<std::string>;

std::string quoted(const std::string& text) { return Json(text).dump(); }

/// Exact, as a double of microseconds would not be after a few hours.
std::string us(Time time) {
    const std::int64_t ps = std::abs(time.ps);
    return fmt::format("{}{}.{:06}", time.ps < 0 ? "-" : "", ps / 1'000'000, ps % 1'000'000);
}

/// A process or a track is named by an event without time.
void write_name(Text text, const char* what, int process, int track, const std::string& name) {
    fmt::format_to(text,
                   R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{"name":{}}}}},)"
                   "\n",
                   what, process, track, quoted(name));
}

}   // namespace

void TraceEvents::slice(int process, int track, std::string name, Span span, Json args) {
    events_.push_back({'X', process, track, span.begin, span.end - span.begin, 0, std::move(name), std::move(args)});
}

void TraceEvents::arrow(char end, std::uint32_t id, int process, int track, Time at) {
    next_id_ = std::max(next_id_, id + 1);
    events_.push_back({end, process, track, at, Time{}, id});
}

void TraceEvents::counter(int process, std::string name, Time at, Json values) {
    events_.push_back({'C', process, 0, at, Time{}, 0, std::move(name), std::move(values)});
}

void TraceEvents::append(const TraceEvents& other, Time later, const TimelineWindow& window) {
    processes_.insert(other.processes_.begin(), other.processes_.end());
    tracks_.insert(other.tracks_.begin(), other.tracks_.end());
    const std::uint32_t first_id = next_id_;
    next_id_ += other.next_id_;
    for (Event event : other.events_) {
        event.at += later;
        event.id += first_id;
        if (window.shows({event.at, event.at + event.duration})) events_.push_back(std::move(event));
    }
}

std::size_t TraceEvents::slices() const {
    return static_cast<std::size_t>(std::ranges::count(events_, 'X', &Event::phase));
}

std::string TraceEvents::text() const {
    std::string result = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n";
    const Text text(result);
    for (const auto& [process, name] : processes_) {
        write_name(text, "process_name", process, 0, name);
        fmt::format_to(text,
                       R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}},)"
                       "\n",
                       process);
    }
    for (const auto& [place, name] : tracks_) write_name(text, "thread_name", place.first, place.second, name);
    for (const Event& event : events_) {
        fmt::format_to(text, R"({{"ph":"{}","pid":{},"ts":{})", event.phase, event.process, us(event.at));
        if (event.phase != 'C') fmt::format_to(text, R"(,"tid":{})", event.track);
        if (event.phase == 's' || event.phase == 'f')
            fmt::format_to(text, R"(,"cat":"message","name":"message","id":{}{})", event.id,
                           event.phase == 'f' ? R"(,"bp":"e")" : "");
        else fmt::format_to(text, R"(,"name":{})", quoted(event.name));
        if (event.phase == 'X') fmt::format_to(text, R"(,"dur":{})", us(event.duration));
        if (!event.args.is_null()) fmt::format_to(text, R"(,"args":{})", event.args.dump());
        result += "},\n";
    }
    if (result.ends_with(",\n")) result.erase(result.size() - 2, 1);
    return result + "]}\n";
}

}   // namespace oscar
