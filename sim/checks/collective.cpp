#include "sim/checks/collective.hpp"

#include <fmt/format.h>

#include "models/job/schedule_on.hpp"

namespace oscar {
namespace {

/// Values between two places where chunks may be cut.
std::uint32_t block_of(const ChunkKind& kind) {
    return std::visit(
        [](const auto& params) -> std::uint32_t {
            if constexpr (requires { params.granularity; }) return params.granularity;
            else if constexpr (requires { params.block; }) return params.block;
            else return 1;
        },
        kind.params);
}

}   // namespace

std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks,
                                                std::uint64_t values, const ChunkKind& kind) {
    const std::uint32_t channels = channels_of(collective), block = block_of(kind);
    const std::uint64_t blocks = (values + block - 1) / block;
    if (channels == 1 || chunks <= blocks) return std::nullopt;
    return fmt::format("{} channels make {} chunks, more than the {} blocks of {} that {} values are; choose fewer",
                       channels, chunks, blocks, block == 1 ? "a value" : fmt::format("{} values", block), values);
}

void check_channels(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    if (p.payload != Payload::synthetic || !p.jobs.empty() || channels_of(p.collective) == 1) return;
    const std::uint32_t chunks = schedule_on(p.collective, cabled.topology).chunks;
    if (const auto reason = find_channel_problem(p.collective, chunks, values_of(*p.size), EqualParams{}))
        cabled.experiment.source.child("collective").child("channels").fail(*reason);
}

/// In lock-step nothing comes down before everything has gone up.
void check_aggregator_slots(const CabledExperiment& cabled) {
    const Parameters& p = cabled.experiment.parameters;
    const auto* params = std::get_if<InNetworkParams>(&p.collective.params);
    const std::uint32_t slots = p.network.switches.aggregator.slots;
    if (params == nullptr || params->issue != Issue::lock_step || params->slices <= slots) return;
    cabled.experiment.source.child("collective")
        .fail(
            fmt::format("in lock_step a switch holds all {} chunks at once, and has {} slots; write issue: dependency, "
                        "or network.switch.aggregator.slots: {}",
                        params->slices, slots, params->slices));
}

}   // namespace oscar
