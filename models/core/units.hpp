// Quantities as types: time, data, rates and clocks. All integers, so every host computes the same picosecond.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "models/core/uint128.hpp"

namespace oscar {

/// A point in simulated time or a span of it, in picoseconds. Range of int64: 106 days.
struct Time {
    std::int64_t ps = 0;
    friend constexpr auto operator<=>(Time, Time) = default;
    constexpr Time& operator+=(Time other) {
        ps += other.ps;
        return *this;
    }
    constexpr Time& operator-=(Time other) {
        ps -= other.ps;
        return *this;
    }
};
constexpr Time operator+(Time a, Time b) { return {a.ps + b.ps}; }
constexpr Time operator-(Time a, Time b) { return {a.ps - b.ps}; }
constexpr Time operator*(std::int64_t n, Time t) { return {n * t.ps}; }

/// An amount of data in bytes.
struct Bytes {
    std::uint64_t count = 0;
    friend constexpr auto operator<=>(Bytes, Bytes) = default;
    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        return *this;
    }
    constexpr Bytes& operator-=(Bytes other) {
        count -= other.count;
        return *this;
    }
};
constexpr Bytes operator+(Bytes a, Bytes b) { return {a.count + b.count}; }
constexpr Bytes operator-(Bytes a, Bytes b) { return {a.count - b.count}; }

/// A rate of one direction in Mbit/s (10^6 bit per second).
struct Bandwidth {
    std::uint64_t mbps = 1;
    friend constexpr auto operator<=>(Bandwidth, Bandwidth) = default;
};

/// A clock frequency in kHz.
struct Frequency {
    std::uint64_t khz = 1;
    friend constexpr auto operator<=>(Frequency, Frequency) = default;
};

/// A number of clock cycles.
using Cycles = std::uint64_t;

/// A result that its type cannot hold. what() says which range it leaves.
struct OutOfRange : std::overflow_error {
    using std::overflow_error::overflow_error;
};

/// `ps` picoseconds. Throws OutOfRange beyond 2^63 - 1 ps, which are 106 days.
constexpr Time to_time(UInt128 ps) {
    if (ps > static_cast<UInt128>(std::numeric_limits<std::int64_t>::max()))
        throw OutOfRange("the time exceeds 106 days (2^63 ps)");
    return {static_cast<std::int64_t>(ps)};
}
/// `count` bytes. Throws OutOfRange beyond 2^64 - 1 bytes.
constexpr Bytes to_bytes(UInt128 count) {
    if (count > std::numeric_limits<std::uint64_t>::max()) throw OutOfRange("the data exceed 16 EiB (2^64 bytes)");
    return {static_cast<std::uint64_t>(count)};
}

/// Time that `size` occupies a wire of rate `rate`, rounded up to the picosecond:
/// bytes * 8 bit / (mbps * 10^6 bit/s) = bytes * 8 * 10^6 / mbps ps, exact. Throws OutOfRange beyond 106 days.
constexpr Time serialization(Bytes size, Bandwidth rate) {
    constexpr std::uint64_t ps_of_byte = 8'000'000;             // at 1 Mbit/s
    constexpr std::uint64_t narrow_bytes = 1'000'000'000'000;   // up to which 64 bits hold product and result
    if (size.count <= narrow_bytes) [[likely]]
        return {static_cast<std::int64_t>((size.count * ps_of_byte + rate.mbps - 1) / rate.mbps)};
    return to_time((static_cast<UInt128>(size.count) * ps_of_byte + rate.mbps - 1) / rate.mbps);
}

/// A clock whose edge number n lies at ceil(n * 10^9 / kHz) picoseconds: no drift, whatever the frequency.
class Clock {
public:
    constexpr explicit Clock(Frequency frequency) : khz_(frequency.khz) {}

    /// Time of edge number `cycles`, which is also the span of that many cycles from an edge at 0.
    constexpr Time edge(Cycles cycles) const {
        return {static_cast<std::int64_t>(cycles / khz_ * ps_khz + (cycles % khz_ * ps_khz + khz_ - 1) / khz_)};
    }
    /// Number of the first edge at or after `time`. Law: edge(next_edge(t)) >= t > edge(next_edge(t) - 1).
    constexpr Cycles next_edge(Time time) const {
        Cycles n = static_cast<Cycles>(time.ps) / ps_khz * khz_ + static_cast<Cycles>(time.ps) % ps_khz * khz_ / ps_khz;
        while (edge(n) < time) ++n;
        return n;
    }

private:
    static constexpr std::uint64_t ps_khz = 1'000'000'000;   // picoseconds in the period of one kilohertz
    std::uint64_t khz_;
};

namespace literals {
constexpr Time operator""_ps(unsigned long long n) { return {static_cast<std::int64_t>(n)}; }
constexpr Time operator""_ns(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000}; }
constexpr Time operator""_us(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000'000}; }
constexpr Time operator""_ms(unsigned long long n) { return {static_cast<std::int64_t>(n) * 1'000'000'000}; }
constexpr Bytes operator""_B(unsigned long long n) { return {n}; }
constexpr Bytes operator""_KiB(unsigned long long n) { return {n << 10}; }
constexpr Bytes operator""_MiB(unsigned long long n) { return {n << 20}; }
constexpr Bytes operator""_GiB(unsigned long long n) { return {n << 30}; }
constexpr Bandwidth operator""_Mbps(unsigned long long n) { return {n}; }
constexpr Bandwidth operator""_Gbps(unsigned long long n) { return {n * 1'000}; }
constexpr Frequency operator""_MHz(unsigned long long n) { return {n * 1'000}; }
constexpr Frequency operator""_GHz(unsigned long long n) { return {n * 1'000'000}; }
}   // namespace literals

}   // namespace oscar
