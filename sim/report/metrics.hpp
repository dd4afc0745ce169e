// The result of an AllReduce for the report, and its computation from what the machine observed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/core/fields.hpp"
#include "models/job/job.hpp"
#include "models/network/topology/routes.hpp"
#include "models/quantise/fidelity.hpp"

#include "sim/report/activity.hpp"
#include "sim/report/causes/bottleneck.hpp"
#include "sim/report/causes/longest_step.hpp"
#include "sim/report/timeline/timeline_window.hpp"
#include "sim/report/timeline/trace_events.hpp"

namespace oscar {

/// One link in one AllReduce.
struct LinkShare {
    std::string name;
    double utilisation = 0;
    std::uint64_t wire_bytes = 0;
    static constexpr auto fields() {
        using L = LinkShare;
        return Entries{
            field("name", &L::name, "of the link, by the nodes that it joins"),
            field("utilisation", &L::utilisation, "share of the time in which it is busy"),
            field("wire_bytes", &L::wire_bytes, "that it carried"),
        };
    }
};

/// A transfer of a list, with its completion.
struct FlowReport {
    std::uint32_t from = 0, to = 0;
    std::uint64_t bytes = 0;
    std::int64_t start_ps = 0, end_ps = 0;
    static constexpr auto fields() {
        using F = FlowReport;
        return Entries{
            field("from", &F::from, "rank that sent"),
            field("to", &F::to, "rank that received"),
            field("bytes", &F::bytes, "of the message"),
            field("start_ps", &F::start_ps, "when its sender might begin"),
            field("end_ps", &F::end_ps, "when its last byte had passed the receiving NIC, from the first rank's start"),
        };
    }
};

/// The exchanges of one name of a lossy method.
struct ExchangeReport {
    std::string what;
    std::uint64_t payload_bytes = 0, wire_bytes = 0;
    std::int64_t time_ps = 0;
    bool overlapped = false;
    static constexpr auto fields() {
        using E = ExchangeReport;
        return Entries{
            field("what", &E::what, "that it carries"),
            field("payload_bytes", &E::payload_bytes, "encoded bytes, all ranks and steps"),
            field("wire_bytes", &E::wire_bytes, "as wire_bytes of the method"),
            field("time_ps", &E::time_ps, "on the network, one exchange after the other"),
            field("overlapped", &E::overlapped, "only the next step needs it: its time is no part of allreduce_ps"),
        };
    }
};

/// A factor of compression that a controller tried or chose.
struct FactorReport {
    double factor = 1;
    std::uint64_t tensors = 0, tried = 0;
    std::optional<double> gain, throughput;
    static constexpr auto fields() {
        using F = FactorReport;
        return Entries{
            field("factor", &F::factor, "elements for each one sent (of PowerSGD, the rank)"),
            field("tensors", &F::tensors, "for which it was chosen, all AllReduces together"),
            field("tried", &F::tried, "AllReduces in which its gain was known"),
            field("gain", &F::gain, "share of the squared norm of gradient + residual that it would keep, their mean"),
            field("throughput", &F::throughput,
                  "samples per second of the ranks, times gain: as last known where it was sent"),
        };
    }
};

/// One AllReduce of a method; with the same members also all AllReduces of an iteration, and of all iterations. Times
/// in picoseconds. statistics.hpp has the meaning of each member and how it adds up.
struct IterationResult {
    std::uint32_t position = 0;
    std::int64_t allreduce_ps = 0, scale_exchange_ps = 0, boundary_broadcast_ps = 0, gpu_kernel_ps = 0;
    std::optional<std::int64_t> closed_form_ps;
    double algorithm_bandwidth_gbps = 0, bus_bandwidth_gbps = 0;
    std::uint64_t payload_bytes = 0, wire_bytes = 0, values = 0, side_bytes = 0;
    std::uint64_t resent_messages = 0, resent_bytes = 0;
    std::uint64_t table_memory_bytes = 0, mask_memory_bytes = 0;
    bool reads_masks = false;
    std::optional<std::uint64_t> staging_peak_bytes = {}, staging_overflow_bytes = {};
    std::optional<std::int64_t> staging_wait_ps = {};
    std::optional<double> pcie_uplink_utilisation = {};
    bool uplink_limits = false;   ///< that is more than the utilisation of DMA without waiting for it
    double bits_per_value = 0;
    std::optional<double> entropy_bits_per_value, entropy_bits;
    double imbalance = 1;
    std::optional<double> chunk_prediction_error;
    double link_utilisation = 0, idle_wait_share = 0, engine_utilisation = 0, dma_utilisation = 0;
    std::int64_t codec_ps = 0, wire_ps = 0, wait_ps = 0;
    std::int64_t link_window_ps = 0;
    CriticalPath critical_path;
    std::string bottleneck, break_even_limiter;
    std::optional<double> break_even_bandwidth_gbps;
    std::string faster_than_fp32 = "not compared";
    std::optional<double> relative_l2_error, cosine;
    std::optional<Fidelity> fidelity;
    double counted_bytes = 0, bus_factor = 0;
    std::uint64_t saturated_values = 0;
    std::optional<bool> sums_match_reference;
    std::vector<LinkShare> links;
    std::vector<FlowReport> flows = {};
    std::vector<ExchangeReport> exchanges = {};
    std::vector<FactorReport> factors = {};
    std::optional<TransportUse> transport = {};
    std::optional<FaultUse> faults = {};
    std::optional<BackgroundUse> background = {};
    std::optional<LongestStep> longest_step = {};
    std::optional<RunActivity> activity = {};
    std::optional<TimestepReport> timesteps = {};
    std::optional<ChunkBalance> chunk_balance = {};
    bool tiered = false;   ///< messages inside islands and between them are counted separately, too
    std::uint64_t island_payload_bytes = 0, island_values = 0, nic_payload_bytes = 0, nic_values = 0;
    std::optional<double> island_bits_per_value = {}, nic_bits_per_value = {};
    bool costed = false;   ///< a technology is given; the members below are then null where it lacks a part
    std::optional<double> energy_total_pj = {}, energy_codec_pj = {}, energy_codec_replayed_pj = {},
                          energy_reduce_pj = {}, energy_memory_pj = {}, energy_leakage_pj = {}, energy_dma_pj = {},
                          energy_link_pj = {}, energy_saved_pj = {}, break_even_energy_pj_per_bit = {},
                          engine_area_um2 = {}, engine_area_time_us_mm2 = {};
    std::optional<std::uint64_t> engine_sram_bytes = {};
    double link_bits = 0;
    std::vector<Signal> waveform = {};                  ///< of one AllReduce, where it is recorded
    std::shared_ptr<const TraceEvents> timeline = {};   ///< of one AllReduce, where it is asked for
};

/// Adds what every rank takes beside the steps, and before or after all of them; returns how long, in picoseconds.
std::int64_t add_time(IterationResult& result, const CriticalPath& path);

/// An exchange between ranks before an AllReduce: its time, and its traffic on the network.
struct PriorExchange {
    CriticalPath path;
    std::uint64_t wire_bytes = 0;   ///< as IterationResult::wire_bytes
    std::optional<TransportUse> transport = {};
    std::optional<FaultUse> faults = {};
    std::vector<std::pair<std::string, std::uint64_t>> link_bytes = {};   ///< of each link that carried any
};
/// `outcome`: of the exchange. Only links that carried packets are kept.
PriorExchange prior_exchange_of(const Outcome& outcome);

/// Adds the time and bytes of `exchange` and what happened to its packets; returns its picoseconds. Shares of time,
/// such as the utilisation of links, remain shares of the AllReduce alone.
std::int64_t add(IterationResult& result, const PriorExchange& exchange);

/// What time of DMA on its critical path stands for.
inline DmaLimit dma_limit_of(const IterationResult& result) {
    return dma_limit(result.reads_masks, result.uplink_limits);
}

/// Time, bytes and shares of one AllReduce; fidelity and sums_match_reference are the caller's. Per rank the time from
/// the first start to the end is split into link (its NIC sends), codec (it does not, and encodes or decodes) and wait
/// (neither); the means over the ranks are reported. Link utilisation is the mean over the links that carried anything.
IterationResult measure(const Outcome& outcome, const Plan& plan);

/// Parts of the result that are not in an outcome.
struct ResultContext {
    std::optional<Time> closed_form = {};                         ///< of its steps
    PriorExchange scale_exchange = {}, boundary_broadcast = {};   ///< before it
    CriticalPath kernels = {};                                    ///< of the GPU, before and after it
    std::uint64_t elements = 0;                    ///< values of a rank's gradient, whose bytes bandwidths count
    CriticalPath learning = {};                    ///< of the engines' tables, before it
    std::optional<TimelineWindow> timeline = {};   ///< make one of this window
    const Routes* routes = nullptr;                ///< of the machine; null: nothing is told of single steps
    std::uint32_t slices = 1;                      ///< of the collective
    std::uint32_t island = 1;                      ///< ranks of one, where there are two tiers; 1: there is one
};

/// The result of a collective of `ranks` ranks: times, bytes and shares of the outcome, with the times and bytes of its
/// context. Its values are the words of the messages.
IterationResult result_of(const Outcome& outcome, const Plan& plan, std::uint32_t ranks, const ResultContext& context);

/// Counts the values that the words of messages represent instead of the words: `per_word` for each.
void count_represented(IterationResult& result, double per_word);

/// Multiplies what adds up over ranks: bytes, values, chunks and energies. Links stay those that were simulated.
void multiply(IterationResult& result, std::uint32_t ranks_for_each);

}   // namespace oscar
