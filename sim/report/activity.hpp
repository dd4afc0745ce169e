// What happened over the time of a collective: how busy links and engines were, how many messages were under way, what
// each timestep carried, and how equal chunks are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "models/job/job.hpp"

namespace oscar {

/// A link over the intervals of an RunActivity.
struct LinkActivity {
    std::string name;
    std::vector<double> utilisation;
    static constexpr auto fields() {
        using L = LinkActivity;
        return Entries{
            field("name", &L::name, "of the link, by the nodes that it joins"),
            field("utilisation", &L::utilisation, "share of each interval in which it is busy"),
        };
    }
};

/// Equal intervals from the first rank's start to the end. Lists have an entry for each.
struct RunActivity {
    std::int64_t interval_ps = 0;
    std::vector<double> links, encoders, decoders, sending, arriving;
    std::vector<LinkActivity> busiest_links;
    static constexpr auto fields() {
        using A = RunActivity;
        return Entries{
            field("interval_ps", &A::interval_ps, "of each entry; the first begins with the first rank"),
            field("links", &A::links, "share of the interval in which used links are busy, their mean"),
            field("encoders", &A::encoders, "share in which encoders are occupied, mean over ranks"),
            field("decoders", &A::decoders, "share in which decoders are occupied, mean over ranks"),
            field("sending", &A::sending,
                  "messages that a rank has begun and whose last bit is not on the wire, mean over ranks and time"),
            field("arriving", &A::arriving,
                  "messages for a rank from then until what depends on them may start, mean over ranks and time"),
            field("busiest_links", &A::busiest_links, "at most 16, in the order of their names"),
        };
    }
};

/// A list has an entry for each timestep in which anything is sent.
struct TimestepReport {
    std::vector<std::int64_t> begin_ps, end_ps;
    std::vector<double> bits_per_value, imbalance;
    static constexpr auto fields() {
        using T = TimestepReport;
        return Entries{
            field("begin_ps", &T::begin_ps, "when its first step was issued, from the first rank's start"),
            field("end_ps", &T::end_ps, "when all that depends on its steps could start"),
            field("bits_per_value", &T::bits_per_value, "payload bits / values of its messages"),
            field("imbalance", &T::imbalance, "its largest message / its mean message"),
        };
    }
};

/// The encoded bytes of chunks, all their steps together, relative to their mean.
struct ChunkBalance {
    std::uint64_t chunks = 0;
    double least = 1, first_quartile = 1, median = 1, third_quartile = 1, largest = 1;
    static constexpr auto fields() {
        using C = ChunkBalance;
        return Entries{
            field("chunks", &C::chunks, "of the collective"),
            field("least", &C::least, "encoded bytes of the smallest chunk / mean"),
            field("first_quartile", &C::first_quartile, "that a quarter of the chunks do not exceed / mean"),
            field("median", &C::median, "that half of the chunks do not exceed / mean"),
            field("third_quartile", &C::third_quartile, "that three quarters of the chunks do not exceed / mean"),
            field("largest", &C::largest, "encoded bytes of the largest chunk / mean"),
        };
    }
};

/// Intervals of an RunActivity.
inline constexpr std::size_t intervals_of_activity = 40;
/// Links that it names.
inline constexpr std::size_t most_links_of_activity = 16;

/// None where it takes no time.
std::optional<RunActivity> activity_of(const Outcome& outcome, const Schedule& schedule);
/// None without steps.
std::optional<TimestepReport> timesteps_of(const Outcome& outcome, const Schedule& schedule);
/// Of the chunks that carried anything; none where that are fewer than two.
std::optional<ChunkBalance> chunk_balance_of(const Outcome& outcome, const Schedule& schedule);

}   // namespace oscar
