// DCQCN's three parties: switches mark, receivers notify, senders slow down. Time is passed in.
// Source: Zhu et al., SIGCOMM 2015, section 3.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "models/core/units.hpp"
#include "models/network/params/congestion_params.hpp"

namespace oscar {

/// Congestion point: whether a packet that finds `queue` bytes before it is marked. `uniform` is uniform in [0, 1):
/// never up to Kmin, always from Kmax on, between them with a probability that grows from 0 to Pmax.
bool is_marked(const DcqcnParams& params, Bytes queue, double uniform);

/// Notification point, of one flow: the first marked packet is answered, and then none for an interval.
class NotificationPoint {
public:
    explicit NotificationPoint(Time interval) : interval_(interval) {}
    /// A marked packet has come now; true if a CNP answers it.
    bool answers(Time now);

private:
    Time interval_;
    std::optional<Time> last_;
};

/// Reaction point: the rate of one flow. It starts at that of its link. Rates are whole kbit/s, alpha and g multiples
/// of 2^-28, so that every host computes the same. A CNP cuts: target = rate, rate *= 1 - alpha/2, alpha = (1-g) alpha
/// + g. Without one, alpha *= 1-g after each alpha interval, and the rate rises after each increase interval and each
/// `increase_bytes`, by half of the distance to the target: in the first F rises of both (fast recovery) to the one
/// before the cut; then to one that grows by R_AI a rise; when timer and byte counter both are beyond F, by R_HI more
/// each time.
class ReactionPoint {
public:
    ReactionPoint(const DcqcnParams& params, Bandwidth line);

    /// A CNP has come. Times do not fall from call to call.
    void notified(Time now);
    /// A packet of `wire` bytes begins to leave; the flow's next may not begin before the time returned.
    Time sent(Bytes wire, Time now);
    /// The rate at `now`, which must not fall from call to call.
    std::uint64_t rate_kbps(Time now);
    /// Alpha at `now`, in multiples of 2^-28.
    std::uint64_t alpha(Time now);

private:
    void advance(Time now);
    void decay(Time now);
    void rise();
    std::uint64_t weighted(std::uint64_t alpha) const { return alpha * gain_ >> fraction_bits; }

    static constexpr Time never{std::numeric_limits<std::int64_t>::max()};
    static constexpr unsigned fraction_bits = 28;
    static constexpr std::uint64_t one = std::uint64_t{1} << fraction_bits;
    DcqcnParams params_;
    std::uint64_t gain_, line_, rate_, target_, alpha_ = one;
    Time next_rise_ = never, next_decay_ = never;   ///< both clocks start with the first CNP
    std::uint32_t timer_rises_ = 0, byte_rises_ = 0;
    Bytes since_rise_;
};

}   // namespace oscar
