// A rate that several units share: the rest that earlier transfers leave, over time.
#pragma once

#include <cstdint>
#include <map>

#include "models/core/units.hpp"

namespace oscar {

/// Each transfer moves at its own rate at most, and never faster than what those that have been asked for before leave
/// of the whole: first come, first served, byte by byte. A transfer that is asked for later and may begin earlier takes
/// what is free then, so that no byte that could pass waits. Exact in whole picoseconds; a transfer's last bytes take
/// their part of the rate until the end of its last picosecond.
class SharedRate {
public:
    explicit SharedRate(Bandwidth whole) : whole_(whole) { clear(); }

    /// Moves `size` bytes from `begin` on, at `most` at the most; returns when the last has passed.
    /// Laws: where nothing else passes, begin + serialization(size, min(most, whole)); never sooner.
    Time carry(Time begin, Bytes size, Bandwidth most);
    /// The time that all its bytes take at the whole rate.
    Time busy() const { return busy_; }
    /// Forgets what it has carried.
    void clear();

private:
    void take(Time begin, Time end, Bandwidth most);
    void split(Time at);

    Bandwidth whole_;
    Time busy_;
    std::map<Time, std::uint64_t> free_;   ///< Mbit/s that are free from a moment on, until the next
};

}   // namespace oscar
