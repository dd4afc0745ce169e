// Waveform: the signals of a machine's modules over the time of a job.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/timing/signal.hpp"

namespace oscar {

using namespace literals;

struct WaveformParams {
    std::string signals = "*";
    Time from;
    std::optional<Time> to;
    static constexpr auto fields() {
        return Entries{
            field("signals", &WaveformParams::signals,
                  "names of signals, as rank3.* or link_*; * stands for any characters"),
            field("from", &WaveformParams::from, "begin of the recorded window, after the first rank's start", 0_ps,
                  10'000'000_ms),
            field("to", &WaveformParams::to, "end of the recorded window; none: the end of the collective", 0_ps,
                  10'000'000_ms),
        };
    }
};

/// Modules ask for levels when they are built and change them as they act. A module whose signal is not wanted gets
/// none, and has nothing to do.
class Waveform {
public:
    explicit Waveform(WaveformParams params) : params_(std::move(params)) {}

    /// The level `signal` of the module with this hierarchical name, whose first part is the machine's; null unless it
    /// is wanted. Valid as long as the waveform.
    Level* level(const std::string& module, const std::string& signal, std::uint64_t initial = 0);
    /// A job begins.
    void begin();
    /// The signals recorded in the job, whose first rank started at `origin`.
    std::vector<Signal> signals(Time origin) const;

private:
    struct Named {
        std::string name;
        Level level;
    };
    WaveformParams params_;
    std::deque<Named> levels_;
};

/// The level of a waveform that may be missing; null without one.
inline Level* level_of(Waveform* waveform, const std::string& module, const std::string& signal,
                       std::uint64_t initial = 0) {
    return waveform == nullptr ? nullptr : waveform->level(module, signal, initial);
}

}   // namespace oscar
