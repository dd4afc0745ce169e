#include "models/collective/schedule/channels.hpp"

#include <algorithm>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

/// The steps from `begin` on that are in one timestep and of one slice, which has `group` chunks.
std::span<const Step> run_from(std::size_t begin, const Schedule& schedule, std::uint32_t group) {
    const auto steps = std::span(schedule.steps).subspan(begin);
    std::size_t size = 1;
    while (size < steps.size() && steps[size].timestep == steps.front().timestep &&
           steps[size].chunk.value / group == steps.front().chunk.value / group)
        ++size;
    return steps.first(size);
}

RankOrder rotated(std::uint32_t ranks, std::uint32_t island, std::uint32_t channel, std::uint32_t channels) {
    RankOrder order;
    for (std::uint32_t r = 0; r < ranks; ++r) {
        const std::uint32_t first = r / island * island, size = std::min(island, ranks - first);
        order.push_back(Rank{first + (r - first + channel * size / channels) % size});
    }
    return order;
}

}   // namespace

Schedule side_by_side(const Schedule& schedule, std::uint32_t slices, std::span<const RankOrder> orders,
                      ChunkOrder chunks) {
    const std::uint32_t group = schedule.chunks / slices;
    const auto parts = static_cast<std::uint32_t>(orders.size());
    ScheduleBuilder builder(schedule.ranks, schedule.chunks * parts, schedule.aggregators);
    const auto in_order = [&](const RankOrder& order, Rank participant) {
        return participant.value < schedule.ranks ? order[participant.value] : participant;
    };
    const auto number_in = [&](const RankOrder& order, std::uint32_t chunk) {
        return chunks == ChunkOrder::as_ranks ? order[chunk].value : chunk;
    };
    for (std::size_t begin = 0; begin < schedule.steps.size();) {
        const auto run = run_from(begin, schedule, group);
        for (std::uint32_t k = 0; k < parts; ++k)
            for (const Step& step : run) {
                const std::uint32_t slice = step.chunk.value / group,
                                    chunk = number_in(orders[k], step.chunk.value % group);
                builder.send(in_order(orders[k], step.from), in_order(orders[k], step.to),
                             ChunkId{(slice * parts + k) * group + chunk}, step.op, step.timestep.value);
            }
        begin += run.size();
    }
    Schedule all = std::move(builder).finish();
    all.island_switches = schedule.island_switches;
    all.group = schedule.group;
    return all;
}

std::vector<RankOrder> orders_of(const ChannelledParams& params, std::uint32_t ranks, std::uint32_t island) {
    const std::uint32_t turned = params.channel_order == ChannelOrder::rotated ? island : 1;
    std::vector<RankOrder> orders;
    for (std::uint32_t k = 0; k < params.channels; ++k) orders.push_back(rotated(ranks, turned, k, params.channels));
    return orders;
}

Schedule in_channels(Schedule one, const ChannelledParams& params, std::uint32_t island, ChunkOrder chunks) {
    if (params.channels == 1) return one;
    const std::uint32_t group = one.chunks / params.slices;
    Schedule all = side_by_side(one, params.slices, orders_of(params, one.ranks, island), chunks);
    for (std::uint32_t c = 0; c < all.chunks; ++c)
        all.channels.push_back(static_cast<std::uint8_t>(c / group % params.channels));
    return all;
}

}   // namespace oscar
