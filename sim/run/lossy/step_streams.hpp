// Kernels and exchanges of a lossy step in time: what runs beside what.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "models/timing/critical_path.hpp"

namespace oscar {

/// Two streams of a GPU run kernels, one those that encode, the other those that decode, and share no bandwidth; the
/// host launches exchanges, and one communicator carries them. Each works in the order in which it is asked. An
/// exchange begins when the exchange before it is done, and its launch and the kernels that encode it are, which begin
/// when the exchanges that it needs are.
/// Sources: CUDA streams and NCCL communicators; the overlap of TAGC's shards, Polyakov et al., section 3.3.
class StepStreams {
public:
    /// Encodes the next exchange, and launches it. `needs`: earlier exchanges by position. Returns the part of both for
    /// which the communicator stands idle.
    CriticalPath encode(CriticalPath kernels, std::int64_t launch_ps, std::span<const std::uint32_t> needs) {
        std::int64_t begin = 0;
        for (const std::uint32_t exchange : needs) begin = std::max(begin, ends_[exchange]);
        launched_ = std::max(launched_, begin) + launch_ps;
        if (const std::int64_t ps = kernels.total_ps(); ps > 0) encoded_ = std::max(encoded_, begin) + ps;
        kernels.latency_ps += launch_ps;
        return idle_until(std::max(encoded_, launched_), kernels);
    }
    /// The next exchange. Returns when it begins, in picoseconds from the begin of the step.
    std::int64_t carry(std::int64_t ps) {
        const std::int64_t begin = carried_;
        ends_.push_back(carried_ += ps);
        return begin;
    }
    /// Decodes what the last exchange left.
    void decode(const CriticalPath& kernels) {
        if (kernels.total_ps() == 0) return;
        decoded_ = std::max(decoded_, carried_) + kernels.total_ps();
        last_decoding_ = kernels;
    }
    /// Runs kernels that need all exchanges. Returns the time from the last exchange to the end of the last kernel.
    CriticalPath finish(CriticalPath kernels) {
        encoded_ = std::max(encoded_, carried_) + kernels.total_ps();
        return idle_until(std::max(encoded_, decoded_), kernels += last_decoding_);
    }

private:
    /// Latency first, as of one kernel after the other.
    CriticalPath idle_until(std::int64_t end, const CriticalPath& kernels) {
        const std::int64_t idle = std::max<std::int64_t>(0, end - carried_);
        carried_ += idle;
        const std::int64_t latency = std::min(idle, kernels.latency_ps);
        return {.dma_ps = idle - latency, .latency_ps = latency};
    }

    std::int64_t encoded_ = 0, launched_ = 0, carried_ = 0, decoded_ = 0;   ///< ends so far, in picoseconds
    std::vector<std::int64_t> ends_;                                        ///< of exchanges
    CriticalPath last_decoding_;
};

}   // namespace oscar
