// AllReduce in two timesteps.
#pragma once

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/phases.hpp"
#include "models/collective/schedule/protocol.hpp"
#include "models/collective/schedule/schedule.hpp"

namespace oscar {

/// With LL, the AllReduce of MSCCL++ inside a node (its packets of 8 bytes of data and 8 of flags), in two shots.
struct DirectParams : StaggeredParams {
    NcclProtocol protocol = NcclProtocol::simple;
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        return concatenate(fields_of<DirectParams>(),
                           Entries{field("protocol", &DirectParams::protocol,
                                         "flags beside the data of messages, which fp32, bf16 and fp8 can have")});
    }
};

/// Every rank sends chunk j to rank j, which sends their sum back to all: ranks slices chunks, 2 (ranks-1) ranks slices
/// steps, 2 timesteps. It sends the same number of bytes as a ring, in messages to everybody at once: for networks of
/// full bisection. Precondition: ranks >= 2.
inline Schedule make_schedule(const DirectParams& params, std::uint32_t ranks) {
    ScheduleBuilder builder(ranks, ranks * params.slices);
    const auto members = ranks_from(0, 1, ranks);
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        direct_reduce_scatter(builder, members, {slice * ranks}, 0);
    for (std::uint32_t slice = 0; slice < params.slices; ++slice)
        direct_all_gather(builder, members, {slice * ranks}, 1);
    return std::move(builder).finish();
}

}   // namespace oscar
