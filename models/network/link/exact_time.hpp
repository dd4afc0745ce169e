// Time within a packet, finer than the picosecond, so that flits follow each other at an even rate.
#pragma once

#include <compare>

#include "models/core/units.hpp"

namespace oscar {

/// A time in units of 2^-48 ps. Only what happens between the flits of one packet needs it: a packet begins at a whole
/// picosecond, and its end is seen at the next one.
class ExactTime {
public:
    constexpr ExactTime() = default;
    constexpr explicit ExactTime(Time time) : units_(static_cast<Units>(time.ps) << fraction_bits) {}

    /// The time of a byte at `rate`, rounded down. Law: for packets of up to 4 MiB at up to 10 Tbit/s
    /// (size * of_byte(rate)).rounded_up() == serialization(size, rate), for the error of size * 2^-48 ps stays below
    /// 1 / mbps, the least distance of a serialization from the picosecond below it.
    static constexpr ExactTime of_byte(Bandwidth rate) {
        ExactTime result;
        result.units_ = (static_cast<Units>(8'000'000) << fraction_bits) / static_cast<Units>(rate.mbps);
        return result;
    }
    /// The first whole picosecond that is not before it.
    constexpr Time rounded_up() const {
        return {static_cast<std::int64_t>((units_ + (static_cast<Units>(1) << fraction_bits) - 1) >> fraction_bits)};
    }

    friend constexpr auto operator<=>(ExactTime, ExactTime) = default;
    friend constexpr ExactTime operator+(ExactTime a, ExactTime b) {
        a.units_ += b.units_;
        return a;
    }
    friend constexpr ExactTime operator+(ExactTime a, Time b) { return a + ExactTime(b); }
    friend constexpr ExactTime operator*(Bytes size, ExactTime of_one) {
        of_one.units_ *= static_cast<Units>(size.count);
        return of_one;
    }

private:
    __extension__ using Units = __int128;
    static constexpr int fraction_bits = 48;
    Units units_ = 0;
};

}   // namespace oscar
