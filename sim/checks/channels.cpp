#include "sim/experiment/channels.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/nic/schedule_on.hpp"
#include "sim/experiment/raw_run.hpp"

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

std::optional<std::string> find_channel_problem(const Collective& collective, std::uint32_t chunks, std::uint64_t values,
                                            const ChunkKind& kind) {
    const std::uint32_t channels = channels_of(collective), block = block_of(kind);
    const std::uint64_t blocks = (values + block - 1) / block;
    if (channels == 1 || chunks <= blocks) return std::nullopt;
    return fmt::format("{} channels make {} chunks, more than the {} blocks of {} that {} values are; choose fewer",
                       channels, chunks, blocks, block == 1 ? "a value" : fmt::format("{} values", block), values);
}

void check_channels(const Experiment& experiment, const Topology& topology) {
    const Parameters& p = experiment.parameters;
    if (p.payload != Payload::raw || !p.jobs.empty() || channels_of(p.collective) == 1) return;
    const std::uint32_t chunks = schedule_on(p.collective, topology).chunks;
    if (const auto reason = find_channel_problem(p.collective, chunks, values_of(*p.size), EqualParams{}))
        experiment.source.child("collective").child("channels").fail(*reason);
}

void leave_out_one_channel(nlohmann::ordered_json& collective) {
    if (collective.is_null() || collective.value("channels", 1) > 1) return;
    for (const char* key : {"channels", "channel_order"}) collective.erase(key);
}

}   // namespace oscar
