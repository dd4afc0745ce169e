#include "models/machine/deadlock_text.hpp"

namespace oscar {
namespace {

std::string describe(const CreditWait& wait, const Fabric& fabric, const Topology& topology,
                     const std::string& message) {
    const Bytes buffer = fabric.link(wait.hop.edge).link.buffer;
    return std::string(wait.answer ? "an answer to " : "") + "flow " + message + ", packet " +
           std::to_string(wait.sequence) + (wait.paused ? ") is paused on link " : ") waits on link ") +
           topology.edge_name(wait.hop.edge) + " for " + std::to_string(wait.needs.count) +
           (wait.paused ? " B: " : " B of credit: ") + std::to_string(wait.free.count) + " B free, " +
           std::to_string((buffer - wait.free).count) + " B held by the receiver, of " + std::to_string(buffer.count) +
           " B";
}

}   // namespace

std::string deadlock_text(const Fabric& fabric, const Topology& topology, std::size_t unfinished, std::size_t steps,
                          const std::function<std::string(std::uint64_t tag)>& message) {
    std::string text = "deadlock: " + std::to_string(unfinished) + " of " + std::to_string(steps) +
                       " steps cannot finish and no event is left";
    const std::string losses = fabric.losses();
    if (!losses.empty()) text += "; packets were lost:" + losses;
    const auto report = fabric.deadlock_report();
    if (!report && !losses.empty()) text += "\n  write network.reliability: {kind: go_back_n} or selective";
    if (!report) return text;
    for (const CreditWait& wait : report->chain) text += "\n  " + describe(wait, fabric, topology, message(wait.tag));
    if (report->closes_at)
        return text + "\n  which waits for " + topology.edge_name(report->chain[*report->closes_at].hop.edge) +
               " again: a cycle of waits; more buffer only delays it, routes or virtual channels must break it";
    return text + "\n  raise network.link.buffer to hold network.packet + network.header in each virtual channel";
}

}   // namespace oscar
