// All statistics of a method, in the order of the report: member, place in the report, how buckets of an iteration and
// iterations of a run add up, meaning, and column on a terminal. JSON, tables, sums, `describe report` and
// docs/report.md walk this list. A new one is a member of IterationResult, set by measure() or by a caller that knows
// more than the machine has observed, and an entry here.
#pragma once

#include "sim/report/cells.hpp"
#include "sim/report/combinations.hpp"
#include "sim/report/statistic.hpp"

namespace oscar {

constexpr auto statistics() {   // NOLINT(readability-function-size): a table
    using I = IterationResult;
    using namespace aggregation;
    namespace c = combinations;
    constexpr WeightedMean by_payload{"mean, weighted by payload_bytes", c::payload};
    constexpr WeightedMean by_window{"mean, weighted by the time between first and last use of links", c::link_window};
    constexpr WeightedMean by_time{"mean, weighted by time on the network", c::network_time};
    constexpr Derived bits{"8 payload_bytes / values", c::bits_per_value};
    constexpr Derived island_bits{"8 island_payload_bytes / island_values", c::island_bits_per_value};
    constexpr Derived nic_bits{"8 nic_payload_bytes / nic_values", c::nic_bits_per_value};
    constexpr Derived entropy{"entropy / values; null if one is null", c::entropy_bits_per_value};
    constexpr Derived bandwidth{"of the summed times", c::algorithm_bandwidth_gbps};
    constexpr Derived bus_bandwidth{"of the summed times", c::bus_bandwidth_gbps};
    constexpr Derived bottleneck{"of the summed critical path", c::bottleneck};
    constexpr Derived limiter{"of the summed critical path", c::break_even_limiter};
    constexpr Derived error{"of the whole gradient", c::relative_l2_error};
    constexpr Derived cosine{"of the whole gradient", c::cosine};
    constexpr Derived energy{"sum of its terms; null if one but energy_reduce_pj is null", c::energy_total_pj};
    constexpr Compared of_energies{"of the sums"};
    constexpr Derived area_time{"of the sums", c::engine_area_time_us_mm2};
    constexpr TerminalTable energies = TerminalTable::energies, areas = TerminalTable::areas;
    return Entries{
        statistic("position", &I::position, Shown::iterations, First{}, First{}, "of the iteration in the trace"),
        statistic(
            "allreduce_ps", &I::allreduce_ps, Shown::everywhere, Sum{}, Mean{},
            "first rank's start to last rank's whole sum, with the exchanges before it, kernels of the GPU and the "
            "learning of tables where it is exposed",
            {TerminalTable::times, 0, "time us", cells::time}),
        statistic("closed_form_ps", &I::closed_form_ps, Shown::methods, SumIfAll{}, MeanIfAll{},
                  "the same by max-plus recursion of step costs; null where that does not include all that the machine "
                  "does (docs/prediction.md)",
                  {TerminalTable::checks, 0, "closed form us", cells::time_if_any}),
        statistic("scale_exchange_ps", &I::scale_exchange_ps, Shown::everywhere, Sum{}, Mean{},
                  "of allreduce_ps, agreement on the scale (quantiser.agreement: exact)",
                  {TerminalTable::shares, 3, "scale us", cells::time}),
        statistic("boundary_broadcast_ps", &I::boundary_broadcast_ps, Shown::everywhere, Sum{}, Mean{},
                  "of allreduce_ps, broadcast of chunk boundaries by rank 0 (chunks: leader)"),
        statistic("gpu_kernel_ps", &I::gpu_kernel_ps, Shown::everywhere, Sum{}, Mean{},
                  "of allreduce_ps, kernels of the GPU beside which nothing is sent: peaks, planning, error feedback, "
                  "codes and back",
                  {TerminalTable::shares, 4, "kernel us", cells::time}),
        statistic("algorithm_bandwidth_gbps", &I::algorithm_bandwidth_gbps, Shown::methods, bandwidth, bandwidth,
                  "bits of the gradient in fp32 (all_to_all: of the part of it that a rank sends) / allreduce_ps, in "
                  "Gbit/s, whatever the method sends in their place"),
        statistic("bus_bandwidth_gbps", &I::bus_bandwidth_gbps, Shown::methods, bus_bandwidth, bus_bandwidth,
                  "algorithm_bandwidth_gbps times the least share of the gradient that each rank's link must carry "
                  "where ranks alone reduce: 2 (n-1)/n for an AllReduce, (n-1)/n for reduce_scatter, all_gather and "
                  "all_to_all, 1 for broadcast and reduce; nccl-tests' factor for every algorithm, comparable with "
                  "network.link.bandwidth, which compression and reduction in switches can exceed",
                  {TerminalTable::times, 7, "bus Gbit/s", cells::fixed_1, InView::wide}),
        statistic("counted_bytes", &I::counted_bytes, Shown::nowhere, Sum{}, Mean{},
                  "of the gradient in fp32, which algorithm_bandwidth_gbps counts"),
        statistic("bus_factor", &I::bus_factor, Shown::nowhere, First{}, First{},
                  "bus_bandwidth_gbps / algorithm_bandwidth_gbps"),
        statistic("payload_bytes", &I::payload_bytes, Shown::everywhere, Sum{}, Sum{},
                  "encoded bytes, all ranks and steps",
                  {TerminalTable::times, 9, "payload MiB", cells::mib, InView::wide}),
        statistic(
            "wire_bytes", &I::wire_bytes, Shown::everywhere, Sum{}, Sum{},
            "bytes on the senders' first links: payload, packet headers, retransmissions, answers, scale exchange and "
            "boundary broadcast"),
        statistic("values", &I::values, Shown::methods, Sum{}, Sum{},
                  "values of the gradient, or of partial sums, that the messages of all ranks and steps represent: "
                  "those that a sparse or sketched message leaves out count, too, and each as often as it is sent"),
        statistic("side_bytes", &I::side_bytes, Shown::methods, Sum{}, Sum{},
                  "given to other ranks before the iteration: tables and histograms, not timed, and boundaries from "
                  "the leader"),
        statistic("resent_messages", &I::resent_messages, Shown::methods, Sum{}, Sum{},
                  "refused by a receiver that held other tables, and sent again with one inline; all ranks and steps"),
        statistic("resent_bytes", &I::resent_bytes, Shown::methods, Sum{}, Sum{},
                  "encoded bytes of those when sent again, which payload_bytes counts in place of the refused ones; "
                  "wire_bytes counts both"),
        statistic("table_memory_bytes", &I::table_memory_bytes, Shown::methods, Largest{}, Largest{},
                  "tables and counters of a rank's largest bucket: those kept between iterations, for "
                  "engine.table_sram, and those "
                  "that the lanes of encoder and decoder change inside a block"),
        statistic("mask_memory_bytes", &I::mask_memory_bytes, Shown::methods, Largest{}, Largest{},
                  "what the classes of the largest bucket's values need of engine.mask_sram"),
        statistic("reads_masks", &I::reads_masks, Shown::nowhere, Largest{}, Largest{},
                  "engine.mask_sram does not hold the classes of a bucket, so that DMA reads them with the values"),
        statistic("uplink_limits", &I::uplink_limits, Shown::nowhere, Largest{}, Largest{},
                  "the uplinks of PCIe switches are busier than DMA would be without them"),
        statistic("bits_per_value", &I::bits_per_value, Shown::methods, bits, bits,
                  "payload bits / values: the bits of a value in the messages that carry it, however often it is sent; "
                  "a gather of all n ranks' messages sends each n/2 times as often as a ring that sums them, which "
                  "payload_bytes shows",
                  {TerminalTable::times, 1, "bits/value", cells::fixed_3, InView::one_tier}),
        statistic("nic_bits_per_value", &I::nic_bits_per_value, Shown::methods_if_tiered, nic_bits, nic_bits,
                  "payload bits / values, as bits_per_value, of the messages between islands, which cross NICs; null "
                  "without any",
                  {TerminalTable::times, 2, "NIC bits", cells::fixed_3_if_any}),
        statistic("island_bits_per_value", &I::island_bits_per_value, Shown::methods_if_tiered, island_bits,
                  island_bits, "the same of the messages inside islands (NVLink)",
                  {TerminalTable::times, 3, "island bits", cells::fixed_3_if_any}),
        statistic("nic_payload_bytes", &I::nic_payload_bytes, Shown::methods_if_tiered, Sum{}, Sum{},
                  "of payload_bytes, messages between islands"),
        statistic("island_payload_bytes", &I::island_payload_bytes, Shown::methods_if_tiered, Sum{}, Sum{},
                  "of payload_bytes, messages inside islands"),
        statistic("nic_values", &I::nic_values, Shown::methods_if_tiered, Sum{}, Sum{},
                  "of values, messages between islands"),
        statistic("island_values", &I::island_values, Shown::methods_if_tiered, Sum{}, Sum{},
                  "of values, messages inside islands"),
        statistic("tiered", &I::tiered, Shown::nowhere, Largest{}, Largest{}, "there are several islands of ranks"),
        statistic("entropy_bits", &I::entropy_bits, Shown::nowhere, SumIfAll{}, SumIfAll{},
                  "of all values carried, which entropy_bits_per_value divides"),
        statistic("entropy_bits_per_value", &I::entropy_bits_per_value, Shown::methods, entropy, entropy,
                  "zero-order entropy of the values of each timestep, given their classes if they are split; null for "
                  "fp32"),
        statistic("imbalance", &I::imbalance, Shown::everywhere, by_payload, Mean{},
                  "sum of largest messages / sum of mean messages over timesteps",
                  {TerminalTable::times, 4, "imbalance", cells::fixed_3, InView::wide}),
        statistic("chunk_prediction_error", &I::chunk_prediction_error, Shown::methods, by_payload, MeanOfPresent{},
                  "mean |predicted - coded| size of a chunk's final sum / mean size; null where nothing was predicted"),
        statistic("links", &I::links, Shown::nowhere, Combined{"by name", c::links_of_buckets},
                  Combined{"by name", c::links_of_iterations}, "those that carried anything",
                  {TerminalTable::shares, 5, "link %", cells::range_of_links, InView::wide}),
        statistic("link_utilisation", &I::link_utilisation, Shown::methods,
                  Combined{"mean over links of the summed times", c::link_utilisation_of_buckets}, Mean{},
                  "share of the time that used links are busy"),
        statistic("idle_wait_share", &I::idle_wait_share, Shown::methods, by_window, Mean{},
                  "share of the time between a link's first and last use in which its sender waits for other ranks",
                  {TerminalTable::shares, 6, "idle wait %", cells::share, InView::wide}),
        statistic("link_window_ps", &I::link_window_ps, Shown::nowhere, Sum{}, Sum{},
                  "between first and last use of a rank's link, over all ranks"),
        statistic("engine_utilisation", &I::engine_utilisation, Shown::methods, by_time, Mean{},
                  "share of the time that encoder and decoder are occupied",
                  {TerminalTable::shares, 7, "engine %", cells::share, InView::wide}),
        statistic("dma_utilisation", &I::dma_utilisation, Shown::methods, by_time, Mean{},
                  "share of the time that the two channels of DMA are occupied",
                  {TerminalTable::shares, 8, "DMA %", cells::share, InView::wide}),
        statistic("codec_ps", &I::codec_ps, Shown::methods, Sum{}, Mean{},
                  "of allreduce_ps, mean over ranks: codec busy or its tables being made, link idle",
                  {TerminalTable::shares, 1, "coding us", cells::time}),
        statistic("wire_ps", &I::wire_ps, Shown::methods, Sum{}, Mean{}, "of allreduce_ps, mean over ranks: sending",
                  {TerminalTable::shares, 0, "sending us", cells::time}),
        statistic("wait_ps", &I::wait_ps, Shown::methods, Sum{}, Mean{}, "of allreduce_ps, mean over ranks: neither",
                  {TerminalTable::shares, 2, "idle us", cells::time}),
        statistic("critical_path", &I::critical_path, Shown::everywhere, Sum{}, Mean{},
                  "allreduce_ps by what took time on the chain of events that decided the end; its parts add up"),
        statistic(
            "bottleneck", &I::bottleneck, Shown::methods, bottleneck, bottleneck,
            "its largest part: link, engine, dma (dma with class masks, where engine.mask_sram does not hold them; "
            "PCIe uplink, where gpu.pcie_switch.uplink limits DMA), latency or wait"),
        statistic(
            "break_even_bandwidth_gbps", &I::break_even_bandwidth_gbps, Shown::methods, Compared{}, Compared{},
            "rate of the slowest link at which the method would take as long as fp32, to first order (docs/time.md): "
            "0 where it is slower at every rate, null where it is faster at every rate or not compared"),
        statistic("faster_than_fp32", &I::faster_than_fp32, Shown::methods, Compared{}, Compared{},
                  "below or above that rate, always or never; same for fp32 itself; not compared where fp32 is not "
                  "among the methods"),
        statistic("break_even_limiter", &I::break_even_limiter, Shown::methods, limiter, limiter,
                  "largest part of the critical path other than the link, in the same words"),
        statistic("fidelity", &I::fidelity, Shown::nowhere, Combined{"of the whole gradient", c::fidelity_of_buckets},
                  First{}, "what relative_l2_error and cosine are made of"),
        statistic("relative_l2_error", &I::relative_l2_error, Shown::everywhere, error, SumOfSharesIfAll{},
                  "of the dequantised sum against the fp32 sum; null where nothing is summed, and with payload "
                  "synthetic",
                  {TerminalTable::times, 5, "L2 error", cells::scientific}),
        statistic("cosine", &I::cosine, Shown::everywhere, cosine, MeanIfAll{},
                  "cosine similarity of the dequantised sum and the fp32 sum; null where nothing is summed",
                  {TerminalTable::times, 6, "cosine", cells::fixed_6, InView::wide}),
        statistic("saturated_values", &I::saturated_values, Shown::everywhere, Sum{}, Sum{}, "codes clipped, all ranks",
                  {TerminalTable::times, 8, "saturated", cells::count, InView::wide}),
        statistic("sums_match_reference", &I::sums_match_reference, Shown::everywhere, AllTrue{}, AllTrue{},
                  "what the collective promises each rank, every byte sent and every table equal the untimed "
                  "reference's; with payload size_only, the number of bytes; null with payload synthetic"),
        statistic("costed", &I::costed, Shown::nowhere, Largest{}, Largest{}, "a technology is given"),
        statistic("link_bits", &I::link_bits, Shown::nowhere, Sum{}, Mean{},
                  "on all links, with headers, which energy_link_pj counts"),
        statistic("energy_total_pj", &I::energy_total_pj, Shown::methods_if_costed, energy, energy,
                  "energy of an AllReduce, all ranks, of the machine and the gradient before scale (docs/cost.md): the "
                  "sum of "
                  "the terms below",
                  {energies, 0, "energy uJ", cells::micro_if_any}),
        statistic("energy_codec_pj", &I::energy_codec_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, lanes of encoders and decoders and the making of tables; null where the "
                  "technology lacks a lane",
                  {energies, 1, "codec uJ", cells::micro_if_any}),
        statistic("energy_codec_replayed_pj", &I::energy_codec_replayed_pj, Shown::methods_if_costed, SumIfAll{},
                  MeanIfAll{},
                  "of energy_codec_pj, parts whose energy is that of a simulation replayed on their netlist; the rest "
                  "is no more than an order of magnitude (energy_basis: vectorless or assumed)",
                  {energies, 9, "replayed uJ", cells::micro_if_any, InView::wide}),
        statistic("energy_reduce_pj", &I::energy_reduce_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, additions of values; null, and not counted, where the technology has no "
                  "adder",
                  {energies, 2, "adders uJ", cells::micro_if_any, InView::wide}),
        statistic("energy_memory_pj", &I::energy_memory_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, SRAM of the engines: buffers of encoded bytes, classes and tables",
                  {energies, 3, "SRAM uJ", cells::micro_if_any, InView::wide}),
        statistic("energy_leakage_pj", &I::energy_leakage_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, leakage of the engines' cells and SRAM during allreduce_ps",
                  {energies, 4, "leakage uJ", cells::micro_if_any, InView::wide}),
        statistic("energy_dma_pj", &I::energy_dma_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, what DMA moves between GPU memory and NIC",
                  {energies, 5, "DMA uJ", cells::micro_if_any}),
        statistic("energy_link_pj", &I::energy_link_pj, Shown::methods_if_costed, SumIfAll{}, MeanIfAll{},
                  "of energy_total_pj, wire_bytes of each link that they cross",
                  {energies, 6, "link uJ", cells::micro_if_any}),
        statistic("energy_saved_pj", &I::energy_saved_pj, Shown::methods_if_costed, of_energies, of_energies,
                  "energy_total_pj of the first method less this one's; null if either is null",
                  {energies, 7, "saved uJ", cells::micro_if_any}),
        statistic("break_even_energy_pj_per_bit", &I::break_even_energy_pj_per_bit, Shown::methods_if_costed,
                  of_energies, of_energies,
                  "energy of a bit on a link at which the method takes as much energy as the first one: above it, it "
                  "takes less; 0 where it takes less on every link, null where it sends no fewer bits",
                  {energies, 8, "break-even pJ/bit", cells::fixed_3_if_any}),
        statistic("engine_area_um2", &I::engine_area_um2, Shown::methods_if_costed, Largest{}, Largest{},
                  "engine of a NIC for this method alone: lanes, tables, adders and SRAM, derated; of the machine "
                  "before scale",
                  {areas, 0, "engine mm2", cells::millionth_if_any}),
        statistic("engine_sram_bytes", &I::engine_sram_bytes, Shown::methods_if_costed, Largest{}, Largest{},
                  "SRAM of it: engine.table_sram and engine.mask_sram where they are used, and buffers of two encoded "
                  "blocks in each direction",
                  {areas, 1, "SRAM KiB", cells::kib_if_any}),
        statistic("engine_area_time_us_mm2", &I::engine_area_time_us_mm2, Shown::methods_if_costed, area_time,
                  area_time, "allreduce_ps times engine_area_um2, in us mm2",
                  {areas, 2, "time x area us mm2", cells::fixed_3_if_any}),
        statistic("flows", &I::flows, Shown::methods_if_present, Joined{}, Joined{}, "transfers of a list"),
        statistic("exchanges", &I::exchanges, Shown::methods_if_present, Combined{"by name", c::exchanges_of_buckets},
                  Combined{"by name", c::exchanges_of_iterations}, "collectives of a lossy method, by what they carry"),
        statistic("factors", &I::factors, Shown::methods_if_present, Combined{"by factor", c::factors},
                  Combined{"by factor", c::factors}, "of compression, that a controller tried or chose"),
        statistic(
            "longest_step", &I::longest_step, Shown::methods_if_present,
            Combined{"the longest", c::longest_step_of_buckets}, First{},
            "of the critical path of the first iteration, the step that took longest, and the busiest link of its "
            "route"),
        statistic("activity", &I::activity, Shown::methods_if_present, First{}, First{},
                  "what links, engines and messages did over the time of the first AllReduce"),
        statistic("timesteps", &I::timesteps, Shown::methods_if_present, First{}, First{},
                  "of the first AllReduce, a list of figures with an entry for each timestep"),
        statistic("chunk_balance", &I::chunk_balance, Shown::methods_if_present, First{}, First{},
                  "how unequal the encoded sizes of chunks are, of the first AllReduce"),
        statistic("pcie_uplink_utilisation", &I::pcie_uplink_utilisation, Shown::methods_if_present, by_time,
                  MeanOfPresent{},
                  "share of the time that the two directions of the uplinks of PCIe switches are busy, where "
                  "gpu.pcie_switch.uplink is shared"),
        statistic("staging_peak_bytes", &I::staging_peak_bytes, Shown::methods_if_present, Largest{}, Largest{},
                  "most that the staging memory of a NIC held at once, where nic.staging_memory limits it"),
        statistic("staging_wait_ps", &I::staging_wait_ps, Shown::methods_if_present, SumIfAll{}, MeanIfAll{},
                  "mean over NICs: time in which a packet waited in the buffer of its link for room in that memory"),
        statistic("staging_overflow_bytes", &I::staging_overflow_bytes, Shown::methods_if_present, SumIfAll{},
                  SumIfAll{},
                  "taken beyond its capacity, all NICs: what it held waited for packets that were still to come"),
        statistic("transport", &I::transport, Shown::methods_if_present, SumOfPresent{}, SumOfPresent{},
                  "where the network may lose, pause, mark or repair"),
        statistic("faults", &I::faults, Shown::methods_if_present, SumOfPresent{}, SumOfPresent{},
                  "injected, noticed and repaired"),
        statistic("background", &I::background, Shown::methods_if_present, SumOfPresent{}, SumOfPresent{},
                  "traffic of other hosts"),
    };
}

/// Calls f(statistic) for each, in order.
template <class F>
constexpr void for_each_statistic(F&& f) {
    for_each(statistics(), f);
}

/// Sets what is made of other statistics of the same AllReduce.
void derive(IterationResult& result);

/// One iteration's buckets, at least one, one AllReduce after the other without a pause. Law: one bucket is its own
/// sum.
IterationResult sum_of_buckets(aggregation::Parts buckets);

/// All iterations, at least one; what is derived has been.
IterationResult over_iterations(aggregation::Parts iterations);

}   // namespace oscar
