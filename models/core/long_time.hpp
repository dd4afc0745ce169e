// Times beyond the range of Time, for the intermediate results of formulas.
#pragma once

#include "models/core/uint128.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// A span of time in picoseconds, 0 or more, of 128 bits: sums and products of Times are exact, and narrowed() decides
/// whether a Time can hold the result.
class LongTime {
public:
    constexpr LongTime() = default;
    constexpr LongTime(Time time) : ps_(static_cast<UInt128>(time.ps)) {}   // NOLINT: every Time is a LongTime
    /// A span of `ps` picoseconds, which may exceed the range of Time.
    static constexpr LongTime of_ps(UInt128 ps) {
        LongTime time;
        time.ps_ = ps;
        return time;
    }

    /// Throws OutOfRange beyond 106 days.
    constexpr Time narrowed() const { return to_time(ps_); }

    friend constexpr LongTime operator+(LongTime a, LongTime b) { return of_ps(a.ps_ + b.ps_); }
    friend constexpr LongTime operator*(UInt128 n, LongTime time) { return of_ps(n * time.ps_); }
    friend constexpr auto operator<=>(LongTime, LongTime) = default;

private:
    UInt128 ps_ = 0;
};

}   // namespace oscar
