// Signals of a machine over time, for waveforms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/core/span.hpp"

namespace oscar {

/// From `at` on, until the next change.
struct SignalChange {
    Time at;
    std::uint64_t value = 0;
    friend bool operator==(const SignalChange&, const SignalChange&) = default;
};

struct Signal {
    std::string name;                    ///< of the module and what it shows: rank3.nic.port0.queue
    std::vector<SignalChange> changes;   ///< in order; the first says what it begins with
};

/// A number that rises and falls. Moments may be told in any order, and ahead of time.
class Level {
public:
    explicit Level(std::uint64_t initial = 0) : initial_(initial) {}
    /// Raises the level by `change`, which may be negative, from `at` on.
    void add(Time at, std::int64_t change) { steps_.emplace_back(at, change); }
    /// Raises the level by one from the span's begin to its end.
    void add_busy(Span span) {
        add(span.begin, 1);
        add(span.end, -1);
    }
    /// Forgets all changes, so that the level is the initial value throughout.
    void clear() { steps_.clear(); }
    /// Its values from `from` to `to`, relative to `origin`; the first is that at `from`.
    std::vector<SignalChange> changes(Time origin, Time from, Time to) const {
        auto steps = steps_;
        std::ranges::stable_sort(steps, {}, [](const auto& step) { return step.first; });
        std::vector<SignalChange> result{{from, initial_}};
        std::uint64_t value = initial_;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            value += static_cast<std::uint64_t>(steps[i].second);
            const Time at = steps[i].first - origin;
            if (i + 1 < steps.size() && steps[i + 1].first == steps[i].first) continue;
            if (at > to) break;
            if (at <= from) result.front().value = value;
            else if (value != result.back().value) result.push_back({at, value});
        }
        return result;
    }

private:
    std::uint64_t initial_;
    std::vector<std::pair<Time, std::int64_t>> steps_;
};

}   // namespace oscar
