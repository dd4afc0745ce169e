// Results of collectives without values, which depend on their size alone.
#pragma once

#include <cstdint>
#include <map>

namespace oscar {

/// Keeps what collectives of one method on one machine have taken, each alone: the machine is the same before each, so
/// that equal sizes take equal times, to the picosecond.
template <class Result>
class BySize {
public:
    /// `reuse` false: nothing is kept.
    explicit BySize(bool reuse) : reuse_(reuse) {}
    /// What `simulate` returned for this number of values before; else what it returns now.
    template <class Simulate>
    Result of(std::uint64_t values, Simulate&& simulate) {
        if (const auto known = results_.find(values); known != results_.end()) return known->second;
        Result result = simulate();
        if (reuse_) results_.emplace(values, result);
        return result;
    }

private:
    bool reuse_;
    std::map<std::uint64_t, Result> results_;
};

}   // namespace oscar
