// Statistics of background traffic while jobs ran.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/core/units.hpp"
#include "models/network/topology/index.hpp"

namespace oscar {

/// The use from the first rank's start to the end of a job, or the sum over several jobs. Messages in flight at the end
/// count as offered, not as delivered.
struct BackgroundUse {
    std::uint64_t offered_messages = 0, offered_bytes = 0, delivered_bytes = 0;   ///< payload
    std::vector<Time> completions;   ///< of each delivered message: from its coming until its last packet was taken
    Time needed;                     ///< serialization of all offered messages at their senders' links
    Time sending;                    ///< how long there was to send, over all senders
    Time duration;                   ///< of the job
    std::map<EdgeId, Time> busy;     ///< of the links of the topology that it used

    BackgroundUse& operator+=(const BackgroundUse& other) {
        offered_messages += other.offered_messages;
        offered_bytes += other.offered_bytes;
        delivered_bytes += other.delivered_bytes;
        completions.insert(completions.end(), other.completions.begin(), other.completions.end());
        needed += other.needed;
        sending += other.sending;
        duration += other.duration;
        for (const auto& [edge, time] : other.busy) busy[edge] += time;
        return *this;
    }
};

}   // namespace oscar
