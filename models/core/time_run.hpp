// Evenly spaced moments, stored as one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// `count` moments, each `each` after the one before.
struct TimeRun {
    Time first;
    std::uint32_t count = 1;
    Time each = {};

    /// Moment number i, from 0 on. `i` is not checked against the count.
    Time at(std::uint32_t i) const { return first + i * each; }
    /// The number of moments before `time`.
    std::uint32_t before(Time time) const {
        if (first >= time) return 0;
        if (each == Time{}) return count;
        const std::int64_t earlier = (time.ps - first.ps + each.ps - 1) / each.ps;
        return static_cast<std::uint32_t>(std::min<std::int64_t>(earlier, count));
    }
    /// The number of moments, from the first on, that come no later than `time`, `time + step`, `time + 2 step`, ...
    std::uint32_t on_time_count(Time time, Time step) const {
        if (first > time) return 0;
        if (each <= step) return count;
        return static_cast<std::uint32_t>(std::min<std::int64_t>(count, (time - first).ps / (each - step).ps + 1));
    }
    friend bool operator==(const TimeRun&, const TimeRun&) = default;
};

/// Appends a run to others, joining it to the last where all of both are one moment.
inline void append(std::vector<TimeRun>& runs, const TimeRun& run) {
    const bool one_moment = run.count == 1 || run.each == Time{};
    if (one_moment && !runs.empty() && runs.back().each == Time{} && runs.back().first == run.first)
        runs.back().count += run.count;
    else runs.push_back(run);
}

/// Reads the moments of several runs in order.
class TimeRunReader {
public:
    explicit TimeRunReader(std::span<const TimeRun> runs) : runs_(runs) {}

    /// True if all moments have been read; then front() and rest_of_run() must not be called.
    bool empty() const { return runs_.empty(); }
    /// The next moment. Precondition: not empty.
    Time front() const { return runs_.front().at(read_); }
    /// The rest of the run that is being read, from front() on. Precondition: not empty.
    TimeRun rest_of_run() const { return {front(), runs_.front().count - read_, runs_.front().each}; }
    /// Goes on by `count` moments. Precondition: at least `count` are left.
    void skip(std::uint32_t count) {
        read_ += count;
        for (; !runs_.empty() && read_ >= runs_.front().count; runs_ = runs_.subspan(1)) read_ -= runs_.front().count;
    }

private:
    std::span<const TimeRun> runs_;
    std::uint32_t read_ = 0;   ///< moments of the first run
};

/// The moments of several runs, by number.
class TimeRuns {
public:
    /// Replaces the runs by copies of `runs`, whose moments are numbered throughout from 0.
    void assign(std::span<const TimeRun> runs) {
        runs_.assign(runs.begin(), runs.end());
        begins_.clear();
        std::uint32_t begin = 0;
        for (const TimeRun& run : runs_) begins_.push_back(begin), begin += run.count;
    }
    /// Precondition: i is below the sum of the counts.
    Time operator[](std::uint32_t i) const {
        if (runs_.size() == 1) return runs_.front().at(i);
        const auto found = std::upper_bound(begins_.begin(), begins_.end(), i) - 1;
        return runs_[static_cast<std::size_t>(found - begins_.begin())].at(i - *found);
    }

private:
    std::vector<TimeRun> runs_;
    std::vector<std::uint32_t> begins_;   ///< per run, the number of its first moment
};

}   // namespace oscar
