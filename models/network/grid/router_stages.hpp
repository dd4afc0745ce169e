// The stages of one input-queued virtual-channel router.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/network/grid/islip.hpp"
#include "models/network/grid/layout.hpp"
#include "models/network/grid/router_flit.hpp"

namespace oscar {

/// Buffers, VC allocation and switch allocation of a router; what leaves it is its caller's, who brings flits and
/// credits to the routers at the other ends. VCs are local (models/network/grid/layout.hpp). In a cycle, all flits
/// and credits of the cycle arrive before step(). A cycle in which nothing arrives and next_work() is later changes
/// nothing, so that step() may be left out.
class RouterStages {
public:
    /// All buffers are empty, and all credits are here. `layout` must outlive it.
    RouterStages(const RouterLayout& layout, RouterId router);

    /// A flit is written into the buffer of an input VC. Precondition: the buffer has room.
    void arrive(std::uint32_t input, const RouterFlit& flit, Cycles now);
    /// A credit for an output VC can be used from this cycle on.
    void take_credit(std::uint32_t output);

    /// A flit that has won the switch in this cycle.
    struct Departure {
        std::uint8_t input, output;   ///< VCs
        Port port;                    ///< of the output
        RouterFlit flit;
    };
    /// Simulates a cycle: VC allocation and switch allocation. What has left is valid until the next call.
    std::span<const Departure> step(Cycles now);
    /// True if a step does nothing.
    bool idle() const { return (asking_ | ready_vcs_ | pending_) == 0; }
    /// The first cycle after step(now) in which a step does anything if nothing arrives; none if all waits.
    std::optional<Cycles> next_work(Cycles now) const;

    std::uint32_t held() const { return held_; }   ///< flits in all buffers
    /// Flits in the buffer of an input VC.
    std::uint32_t held(std::uint32_t input) const { return buffers_.size(input); }
    /// Flits for which the buffer at the other end of an output VC still has room.
    std::uint32_t credits(std::uint32_t output) const { return outputs_[output].credits; }
    /// The input VC of the packet that an output VC has been given to.
    std::optional<std::uint32_t> owner(std::uint32_t output) const { return outputs_[output].owner; }
    /// The VC for which the packet at the front of an input VC waits: an input VC of this router that holds the output
    /// VC that it wants (`here`), or the output VC at whose other end the buffer is full.
    struct Wait {
        bool here;
        std::uint32_t vc;
    };
    /// None if the packet is to leave at the node, which takes all. Precondition: held(input) > 0.
    std::optional<Wait> wait_of(std::uint32_t input) const;

private:
    struct InputVc {
        Cycles due = 0;                       ///< when its request takes part, if it is pending
        std::optional<std::uint8_t> output;   ///< VC that its packet has been given
        Port port = Port::node;               ///< where the packet at its front goes
        std::uint8_t classes = 0;             ///< set of VC classes that packet may take
        bool eligible = false;                ///< its front flit is in the last cycle of switch allocation
    };
    struct OutputVc {
        std::uint32_t credits = 0;
        std::optional<std::uint8_t> owner;
    };
    struct Grant {
        std::uint8_t input, output;
    };

    void raise_due(Cycles now);
    std::size_t allocate_vcs(std::array<Grant, 64>& granted);
    void allocate_switch(Cycles now);
    void give_vc(Grant grant, Cycles now);
    void depart(std::uint32_t input, Cycles now);
    void release_if_free(std::uint32_t output);

    void begin_packet(std::uint32_t input, Cycles from);
    void raise_vc_request(std::uint32_t input);
    void request_switch(std::uint32_t input, Cycles from);
    void update_ready(std::uint32_t input);

    const RouterLayout* layout_;
    RouterId router_;
    std::array<std::array<Mask, 2>, router_ports> requests_{};   ///< for a VC: input VCs by output port and class
    std::array<Mask, router_ports> ready_{};                     ///< for the switch: input VCs by output port
    Mask asking_ = 0, ready_vcs_ = 0;                            ///< unions of those
    Mask pending_ = 0;                      ///< input VCs whose request is still in the first cycles of its stage
    Mask free_ = 0;                         ///< output VCs that can be given to a packet
    std::array<std::uint8_t, 64> turn_{};   ///< VC whose turn it is at each input of the switch
    Islip vc_alloc_, sw_alloc_;
    std::vector<InputVc> inputs_;
    std::vector<OutputVc> outputs_;
    FlitBuffers buffers_;   ///< of input VCs
    std::uint32_t held_ = 0;
    std::array<Departure, router_ports> left_{};   ///< in the last step
    std::size_t left_count_ = 0;
};

}   // namespace oscar
