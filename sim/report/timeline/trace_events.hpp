// Events of a trace in the JSON format of Chromium, which Perfetto (https://ui.perfetto.dev) opens.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "models/core/span.hpp"

#include "sim/report/timeline/timeline_window.hpp"

namespace oscar {

/// Slices, arrows and counters on tracks. A process is a group of tracks; both have numbers and names.
class TraceEvents {
public:
    void name_process(int process, std::string name) { processes_[process] = std::move(name); }
    void name_track(int process, int track, std::string name) { tracks_[{process, track}] = std::move(name); }
    /// Something that takes time; slices of a track do not overlap. `args`: an object that is shown beside it, or null.
    void slice(int process, int track, std::string name, Span span, nlohmann::ordered_json args = {});
    /// One end of arrow `id`: 's' where it starts, 'f' where it ends, in the slice that begins at `at`.
    void arrow(char end, std::uint32_t id, int process, int track, Time at);
    /// The values that the counter `name` of a process has from `at` on: an object of a number each.
    void counter(int process, std::string name, Time at, nlohmann::ordered_json values);

    /// Adds what a window shows of `other`, `later` after what it says.
    void append(const TraceEvents& other, Time later, const TimelineWindow& window = {});
    std::size_t size() const { return events_.size(); }
    std::size_t slices() const;
    /// The file. Times are microseconds with six decimals.
    std::string text() const;

private:
    struct Event {
        char phase;
        int process, track;
        Time at, duration;
        std::uint32_t id = 0;
        std::string name = {};
        nlohmann::ordered_json args = {};
    };
    std::map<int, std::string> processes_;
    std::map<std::pair<int, int>, std::string> tracks_;
    std::vector<Event> events_;
    std::uint32_t next_id_ = 0;   ///< larger than that of any arrow
};

}   // namespace oscar
