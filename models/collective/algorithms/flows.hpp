// Point-to-point transfers from a list: incasts, permutations, arbitrary traffic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/core/units.hpp"
#include "models/partition/chunks.hpp"

namespace oscar {

using namespace literals;

/// One transfer.
struct FlowSpec {
    std::uint32_t from = 0, to = 1;
    Bytes bytes = 1_MiB;
    Time start;
    std::vector<std::uint32_t> after = {};
    static constexpr auto fields() {
        return Entries{
            field("from", &FlowSpec::from, "sending rank", 0u, 4095u),
            field("to", &FlowSpec::to, "receiving rank", 0u, 4095u),
            field("bytes", &FlowSpec::bytes, "size as fp32 values; a method may send fewer bytes", 4_B, 4_GiB),
            field("start", &FlowSpec::start, "earliest start", 0_ps, 100'000_ms),
            field("after", &FlowSpec::after,
                  "numbers, from 0, of earlier flows of the list that its sender must have received"),
        };
    }
    friend bool operator==(const FlowSpec&, const FlowSpec&) = default;
};

struct FlowsParams : CollectiveParams {
    std::vector<FlowSpec> flows = {};
    static constexpr Operation operation = Operation::transfers;
    static constexpr auto fields() {
        return concatenate(
            fields_of<FlowsParams>(),
            Entries{field("flows", &FlowsParams::flows,
                          "list of transfers (payload: synthetic); none: equal ones from every rank to the next")});
    }
};

/// The list, or without one each rank to its successor. std::invalid_argument: an end is no rank, or both are one; a
/// flow waits for one that does not come before it in the list, or does not go to its sender.
std::vector<FlowSpec> flows_of(const FlowsParams& params, std::uint32_t ranks);

/// One chunk a flow and slice, of a slice in the order of the list. A slice of a flow waits for the same slice of the
/// flows that it is after, and is in the first timestep that this allows.
/// Throws as flows_of() does. Precondition: ranks >= 2.
Schedule make_schedule(const FlowsParams& params, std::uint32_t ranks);

/// The first reason why the schedule does not carry out the flows; nothing if it does. The receiver of each flow must
/// end with its chunks as the sender had them, and no other rank may have any of them.
std::optional<std::string> find_transfer_problem(const FlowsParams& params, const Schedule& schedule);

/// The values of each chunk; in the bucket the flows follow each other. Precondition: bytes are whole fp32 values.
ChunkLayout layout_of(const FlowsParams& params, std::uint32_t ranks);
/// The sum of the sizes of all flows.
Bytes size_of(const FlowsParams& params, std::uint32_t ranks);
/// Per step of the schedule, when it may begin.
std::vector<Time> releases_of(const FlowsParams& params, std::uint32_t ranks);

}   // namespace oscar
