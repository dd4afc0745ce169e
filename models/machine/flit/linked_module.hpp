// A module with links: what NIC ports and switches have in common, and what a user's own switch derives from.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "models/machine/flit/link_side.hpp"
#include "models/machine/flit/output_port.hpp"

namespace oscar {

/// The end of a link towards a module.
struct InputParams {
    EdgeId edge;         ///< of the topology: Hop::edge
    Time latency;        ///< from a flit's arrival until it may leave again or, in a NIC, is taken
    bool held = false;   ///< packets that end here leave the buffer when somebody else returns their credit
};

/// The beginning of a link away from a module.
struct OutputParams {
    EdgeId edge;
    OutputPortParams port;
};

struct LinkedModuleParams {
    std::vector<InputParams> inputs;
    std::vector<OutputParams> outputs;
};

/// Ports for flits and credits of each link. Index: position in `inputs`, `outputs`.
class LinkedModule : public sc_core::sc_module {
public:
    LinkedModule(const sc_core::sc_module_name& name, LinkedModuleParams params);
    ~LinkedModule() override;

    sc_core::sc_vector<sc_core::sc_export<FlitSink>> in;
    sc_core::sc_vector<sc_core::sc_port<CreditSink>> credit_out;   ///< for the buffer of each input
    sc_core::sc_vector<sc_core::sc_port<FlitSink>> out;
    sc_core::sc_vector<sc_core::sc_export<CreditSink>> credit_in;

    const LinkedModuleParams& params() const { return params_; }

    /// Begins a job: resets round-robin state.
    virtual void restart() {}
    /// The activations of its processes so far; for the cost of a simulation.
    virtual std::uint64_t activations() const { return 0; }
    /// The packet that waits for credit at this output and channel, for reports of deadlocks; nothing if the module
    /// does not know.
    virtual std::optional<CreditWait> blocked_on(std::uint32_t /*output*/, std::uint8_t /*channel*/) const {
        return {};
    }
    /// The channel of this output in which a packet that came by `from` waits, for the same reports; nothing if
    /// unknown.
    virtual std::optional<std::uint8_t> waits_at(std::uint32_t /*output*/, const Hop& /*from*/) const { return {}; }

protected:
    /// A flit's bits reach the end of a link from `begin` to `end`; models/machine/flit/link_side.hpp has the rules.
    virtual void receive(std::uint32_t input, const Flit& flit, ExactTime begin, ExactTime end) = 0;
    /// `size` bytes are free from `at` on at the end of a link.
    virtual void credited(std::uint32_t output, std::uint8_t channel, Bytes size, Time at) = 0;

private:
    struct Input : FlitSink {
        LinkedModule& owner;
        std::uint32_t index;
        Input(LinkedModule& o, std::uint32_t i) : owner(o), index(i) {}
        void put(const Flit& flit, ExactTime begin, ExactTime end) override { owner.receive(index, flit, begin, end); }
    };
    struct Output : CreditSink {
        LinkedModule& owner;
        std::uint32_t index;
        Output(LinkedModule& o, std::uint32_t i) : owner(o), index(i) {}
        void give_back(std::uint8_t channel, Bytes size, Time at) override { owner.credited(index, channel, size, at); }
    };

    LinkedModuleParams params_;
    std::deque<Input> inputs_;
    std::deque<Output> outputs_;
};

}   // namespace oscar
