// Parameters of the input-queued virtual-channel router.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

/// Ports of a router in a two-dimensional grid, and most virtual channels of a port: a set of VCs is a 64-bit mask.
inline constexpr std::uint32_t router_ports = 5, most_vcs = 12;

/// The condition under which an output VC may be given to the next packet.
enum class VcReuse : std::uint8_t { when_empty, when_sent };
constexpr auto choices(VcReuse) {
    return std::array{Choice{"when_empty", VcReuse::when_empty,
                             "after all its credits have returned: one packet at a time in a buffer"},
                      Choice{"when_sent", VcReuse::when_sent,
                             "after the tail of the packet before has left: packets queue in a buffer"}};
}

/// Buffers and allocators of a router: all but its crossbar and its links, whose delays a network may know as times.
/// Delays are in cycles.
struct InputQueuedParams {
    std::uint32_t vcs = 4;
    std::uint32_t vc_flits = 8;
    VcReuse reuse = VcReuse::when_empty;
    std::uint32_t vc_alloc_iterations = 1;
    std::uint32_t sw_alloc_iterations = 1;
    std::uint32_t input_speedup = 1;
    std::uint32_t routing_delay = 0;
    std::uint32_t vc_alloc_delay = 1;
    std::uint32_t sw_alloc_delay = 1;
    std::uint32_t credit_delay = 2;
    /// The fields that a configuration lists before the delays of switch and link, where it has such.
    static constexpr auto fields_before_the_switch() {
        using P = InputQueuedParams;
        return Entries{
            field("vcs", &P::vcs, "virtual channels of each input port", 1u, most_vcs),
            field("vc_flits", &P::vc_flits, "buffer of a virtual channel, in flits", 1u, 4096u),
            field("reuse", &P::reuse, "condition under which a virtual channel is reallocated"),
            field("vc_alloc_iterations", &P::vc_alloc_iterations, "iterations of iSLIP for virtual channels", 1u, 8u),
            field("sw_alloc_iterations", &P::sw_alloc_iterations, "iterations of iSLIP for the switch", 1u, 8u),
            field("input_speedup", &P::input_speedup, "inputs of the switch per port, which share its virtual channels",
                  1u, most_vcs),
            field("routing_delay", &P::routing_delay, "cycles of route computation; 0: lookahead routing", 0u, 64u),
            field("vc_alloc_delay", &P::vc_alloc_delay, "cycles of VC allocation", 1u, 64u),
            field("sw_alloc_delay", &P::sw_alloc_delay, "cycles of switch allocation", 1u, 64u),
        };
    }
    /// The fields that it lists after them.
    static constexpr auto fields_behind_the_link() {
        return Entries{field("credit_delay", &InputQueuedParams::credit_delay,
                             "cycles from a credit's arrival to its use", 0u, 64u)};
    }
    static constexpr auto fields() { return concatenate(fields_before_the_switch(), fields_behind_the_link()); }
};

/// Stages of a head flit: route computation, VC allocation, switch allocation, switch traversal, link. Body flits
/// follow in their VC from switch allocation on. Delays are in cycles. Source: Dally & Towles, Principles and Practices
/// of Interconnection Networks, 2004, chapters 16 and 17.
struct VcRouterParams : InputQueuedParams {
    std::uint32_t switch_delay = 1;
    std::uint32_t link_delay = 1;
    static constexpr auto fields() {
        using P = VcRouterParams;
        return concatenate(
            fields_before_the_switch(),
            Entries{field("switch_delay", &P::switch_delay, "cycles of switch traversal", 1u, 64u),
                    field("link_delay", &P::link_delay, "cycles on a link, in either direction", 1u, 1024u)},
            fields_behind_the_link());
    }

    /// Cycles from the end of switch allocation here to the flit's arrival in the next buffer.
    constexpr std::uint32_t flit_cycles() const { return 1 + switch_delay + link_delay; }
    /// Cycles from the end of switch allocation here to the use of the flit's credit in the router before.
    constexpr std::uint32_t credit_cycles() const { return 1 + link_delay + credit_delay; }
    /// Cycles between a node and its router: an interface register and a link.
    constexpr std::uint32_t node_cycles() const { return 1 + link_delay; }
    /// Cycles of a head flit from a router's buffer to the next.
    constexpr std::uint32_t hop_cycles() const {
        return routing_delay + vc_alloc_delay + sw_alloc_delay + switch_delay + link_delay;
    }
    /// Cycles from one packet's switch allocation to the next's in the same VC `when_empty`, for packets of one flit:
    /// to the next router, through its VC and switch allocation, the credit back, VC and switch allocation again. A
    /// channel passes at most vcs / credit_loop of such packets a cycle.
    constexpr std::uint32_t credit_loop() const {
        return flit_cycles() + routing_delay + vc_alloc_delay + sw_alloc_delay - 1 + credit_cycles() + sw_alloc_delay;
    }
};

/// Cycles from a packet's creation to the arrival of its tail without contention, where every buffer holds a round
/// trip; `routers`: the number that it passes, both ends included, at least 1.
constexpr std::uint64_t zero_load_cycles(const VcRouterParams& params, std::uint64_t routers,
                                         std::uint32_t packet_flits) {
    return params.hop_cycles() * routers + params.node_cycles() +
           std::uint64_t{packet_flits - 1} * params.sw_alloc_delay;
}

struct OutputQueuedParams {
    static constexpr auto fields() { return Entries{}; }
};

inline constexpr auto switch_architectures = Entries{
    kind<OutputQueuedParams>("output_queued", "cut-through switches with a queue per input at each output"),
    kind<InputQueuedParams>("input_queued", "mesh and torus: virtual-channel routers with iSLIP, cycle by cycle"),
};
using SwitchArchitecture = OneOf<switch_architectures>;

}   // namespace oscar
