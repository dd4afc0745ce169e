// Parameters of congestion control: marking in switches, reaction of senders.
#pragma once

#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"
#include "models/core/units.hpp"

namespace oscar {

using namespace literals;

struct UncontrolledParams {
    static constexpr auto fields() { return Entries{}; }
};

/// DCQCN: switches mark by queue length, the receiving NIC answers marks with CNPs, the sending NIC paces each flow.
/// Source: Zhu et al., "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015, section 3 and figure 14;
/// defaults are those it deploys; it names no step of hyper increase nor a least rate.
struct DcqcnParams {
    Bytes mark_from = 5_KiB;
    Bytes mark_all_from = 200_KiB;
    double mark_probability = 0.01;
    Time cnp_interval = 50_us;
    double gain = 1.0 / 256;
    Time alpha_interval = 55_us;
    Time increase_interval = 55_us;
    Bytes increase_bytes = 10'000'000_B;
    std::uint32_t fast_recoveries = 5;
    Bandwidth additive_increase = 40_Mbps;
    Bandwidth hyper_increase = 400_Mbps;
    Bandwidth minimum_rate = 10_Mbps;
    static constexpr auto fields() {
        return Entries{
            field("mark_from", &DcqcnParams::mark_from, "Kmin: queue above which packets may be marked", 0_B, 1_GiB),
            field("mark_all_from", &DcqcnParams::mark_all_from, "Kmax: queue above which every packet is marked", 1_B,
                  1_GiB),
            field("mark_probability", &DcqcnParams::mark_probability,
                  "Pmax: share of packets marked just below Kmax; from 0 at Kmin on a straight line", 0.0, 1.0),
            field("cnp_interval", &DcqcnParams::cnp_interval, "N: least time between two CNPs of a flow's receiver",
                  0_ps, 1000_ms),
            field("gain", &DcqcnParams::gain, "g: weight of the newest CNP in alpha", 0.0, 1.0),
            field("alpha_interval", &DcqcnParams::alpha_interval, "K: time without a CNP after which alpha decreases",
                  1_us, 1000_ms),
            field("increase_interval", &DcqcnParams::increase_interval, "T: time after which the rate increases", 1_us,
                  1000_ms),
            field("increase_bytes", &DcqcnParams::increase_bytes, "B: bytes after which the rate increases", 1_B,
                  1_GiB),
            field("fast_recoveries", &DcqcnParams::fast_recoveries,
                  "F: increases that halve the distance to the rate before the cut", 0u, 1000u),
            field("additive_increase", &DcqcnParams::additive_increase,
                  "R_AI: step of the target rate after fast recovery"),
            field("hyper_increase", &DcqcnParams::hyper_increase,
                  "R_HI: step of the target rate after F increases by both timer and byte counter"),
            field("minimum_rate", &DcqcnParams::minimum_rate, "least rate of a flow"),
        };
    }
};

inline constexpr auto congestion_controls = Entries{
    kind<UncontrolledParams>("none", "senders send at the rate of their link"),
    kind<DcqcnParams>("dcqcn", "marks by queue length, CNPs, and a rate per flow (SIGCOMM 2015)"),
};
using CongestionControl = OneOf<congestion_controls>;

}   // namespace oscar
