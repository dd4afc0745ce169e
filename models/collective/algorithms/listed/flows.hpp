// Point-to-point transfers from a list: incasts, permutations, arbitrary traffic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/collective/schedule/computation.hpp"
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
    std::vector<std::uint32_t> after = {}, computed = {};
    static constexpr auto fields() {
        return Entries{
            field("from", &FlowSpec::from, "sending rank", 0u, 4095u),
            field("to", &FlowSpec::to, "receiving rank", 0u, 4095u),
            field("bytes", &FlowSpec::bytes, "size as fp32 values; a method may send fewer bytes", 4_B, 16_GiB),
            field("start", &FlowSpec::start, "earliest start", 0_ps, 100'000_ms),
            field("after", &FlowSpec::after,
                  "numbers, from 0, of earlier flows of the list that its sender must have received"),
            field("computed", &FlowSpec::computed,
                  "numbers, from 0, of the `computations` that its sender must have done"),
        };
    }
    friend bool operator==(const FlowSpec&, const FlowSpec&) = default;
};

/// One computation between transfers.
struct ComputationSpec {
    std::uint32_t rank = 0, processor = 0;
    Time time;
    std::vector<std::uint32_t> after = {}, computed = {};
    static constexpr auto fields() {
        using C = ComputationSpec;
        return Entries{
            field("rank", &C::rank, "the rank that computes", 0u, 4095u),
            field("processor", &C::processor, "which of its processors, each of which does one after the other", 0u,
                  4095u),
            field("time", &C::time, "how long it takes", 0_ps, 100'000_ms),
            field("after", &C::after, "numbers, from 0, of the flows that its rank must have received"),
            field("computed", &C::computed, "numbers, from 0, of earlier computations of the list, of the same rank"),
        };
    }
    friend bool operator==(const ComputationSpec&, const ComputationSpec&) = default;
};

struct FlowsParams : CollectiveParams {
    std::vector<FlowSpec> flows = {};
    std::vector<ComputationSpec> computations = {};
    static constexpr Operation operation = Operation::transfers;
    static constexpr auto fields() {
        return concatenate(
            fields_of<FlowsParams>(),
            Entries{field("flows", &FlowsParams::flows,
                          "list of transfers (payload: synthetic); none: equal ones from every rank to the next"),
                    field("computations", &FlowsParams::computations,
                          "what processors of ranks do between transfers, which wait for it by `computed`")});
    }
};

/// The list, or without one each rank to its successor. std::invalid_argument: an end is no rank, or both are one; a
/// flow waits for one that does not come before it in the list, or does not go to its sender; a computation or a flow
/// that waits for one is of another rank than that, or would wait for itself.
std::vector<FlowSpec> flows_of(const FlowsParams& params, std::uint32_t ranks);

/// One chunk a flow and slice, of a slice in the order of the list. A slice of a flow waits for the same slice of the
/// flows that it is after, and is in the first timestep that this allows.
/// Throws as flows_of() does. Precondition: ranks >= 2.
Schedule make_schedule(const FlowsParams& params, std::uint32_t ranks);

/// The first reason why the schedule does not carry out the flows; nothing if it does. The receiver of each flow must
/// end with its chunks as the sender had them, and no other rank may have any of them.
std::optional<std::string> find_transfer_problem(const FlowsParams& params, const Schedule& schedule);

/// The number of values of each chunk: a slice of a flow has values * (s + 1) / slices - values * s / slices of them.
/// Precondition: bytes are whole fp32 values, and no slice has 2^32 of them.
ChunkLayout layout_of(const FlowsParams& params, std::uint32_t ranks);
/// The sum of the sizes of all flows.
Bytes size_of(const FlowsParams& params, std::uint32_t ranks);
/// The same flows, of which each is after the flows that its computations wait for. Precondition: they take no time,
/// and are in an order in which they could be done (flows_of()).
FlowsParams without_computations(FlowsParams params);
/// The computations, in the steps of the schedule: each waits for all slices of a flow, and all slices for it.
Computations computations_of(const FlowsParams& params, std::uint32_t ranks);
/// Per step of the schedule, when it may begin.
std::vector<Time> releases_of(const FlowsParams& params, std::uint32_t ranks);

}   // namespace oscar
