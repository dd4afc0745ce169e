// Statistics of the background traffic beside a method, in the report and on a terminal.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "models/core/fields.hpp"
#include "models/job/background_use.hpp"

namespace oscar {

struct Report;
struct View;

/// Background traffic beside all AllReduces of all iterations, without the exchanges before them.
struct BackgroundReport {
    std::uint64_t offered_messages = 0, delivered_messages = 0, offered_bytes = 0, delivered_bytes = 0;
    double offered_load = 0, link_share = 0, largest_link_share = 0;
    std::int64_t mean_completion_ps = 0, p99_completion_ps = 0;
    static constexpr auto fields() {
        using B = BackgroundReport;
        return Entries{
            field("offered_messages", &B::offered_messages, "that were offered from the first rank's start to the end"),
            field("delivered_messages", &B::delivered_messages, "of those, before the end"),
            field("offered_bytes", &B::offered_bytes, "payload of those that were offered"),
            field("delivered_bytes", &B::delivered_bytes, "payload of those delivered"),
            field("offered_load", &B::offered_load,
                  "time that those that were offered take on the links of their senders / time of all senders"),
            field("link_share", &B::link_share,
                  "share of the time for which such packets occupy a link; mean over the links that carry any"),
            field("largest_link_share", &B::largest_link_share, "the same of the link that they occupy most"),
            field("mean_completion_ps", &B::mean_completion_ps,
                  "of delivered messages, from arrival at the sender until the last packet was taken"),
            field("p99_completion_ps", &B::p99_completion_ps, "99 of 100 delivered messages took no longer"),
        };
    }
};

/// Statistics of one or several collectives; completion times are 0 where no message was delivered.
BackgroundReport summarise(BackgroundUse use);
/// The JSON of summarise(use).
nlohmann::ordered_json to_json(const BackgroundUse& use);

/// A table with a row for each method that has background traffic; empty if none has.
std::string background_table(const Report& report, const View& view);

}   // namespace oscar
