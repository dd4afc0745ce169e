#include "sim/run/notes/notes.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "models/core/quantity.hpp"
#include "models/network/link/packet.hpp"
#include "models/network/transport/protocols.hpp"
#include "sim/checks/effort/round_trips.hpp"

namespace oscar {

std::optional<std::string> note_on_order_of_flows(const Parameters& p) {
    const auto* params = std::get_if<FlowsParams>(&p.collective.params);
    if (params == nullptr) return std::nullopt;
    std::map<std::pair<std::uint32_t, std::int64_t>, FlowSpec> first;   // by rank and start
    for (const FlowSpec& flow : params->flows) {
        if (!flow.after.empty() || !flow.computed.empty()) continue;
        const auto [found, fresh] = first.try_emplace({flow.from, flow.start.ps}, flow);
        if (fresh || found->second == flow) continue;
        return fmt::format(
            "collective.flows: rank {} begins several flows at {}; it posts them in the order of the list, which "
            "decides whose packets go first: in another order they may take other times",
            flow.from, to_text(flow.start));
    }
    return std::nullopt;
}

std::optional<std::string> note_on_schedule_file(const Parameters& p) {
    const auto* listed = std::get_if<ListedScheduleParams>(&p.collective.params);
    if (listed == nullptr || listed->unused.empty()) return std::nullopt;
    return fmt::format(
        "collective.file: {} says {}, which has no effect: protocols are not modelled, and the size is that of the "
        "experiment",
        listed->file, listed->unused);
}

std::optional<std::string> note_on_timeout(const Parameters& p, const Routes& routes) {
    const auto timeout = timeout_of(p.network.reliability);
    if (!timeout) return std::nullopt;
    const LongestRoundTrip longest = longest_round_trip(p, routes, p.network.packet);
    const Time loaded = longest.time + serialization(longest.buffer, longest.slowest);
    if (*timeout >= loaded) return std::nullopt;
    return fmt::format(
        "network.reliability.timeout: {} is less than the {} that a packet takes behind one full buffer (idle round "
        "trip {}, network.link.buffer {} at {}): where links are shared, packets that only wait are sent again, and "
        "make others wait; write more to repair losses alone",
        to_text(*timeout), to_text(loaded), to_text(longest.time), to_text(longest.buffer), to_text(longest.slowest));
}

}   // namespace oscar
