// An engine of a user's own that answers later: an encoder and a decoder on a clock, which stall at random.
#pragma once

#include <array>
#include <random>

#include "models/machine/node/clocked_engine_module.hpp"

/// Each unit codes `lanes` values in a cycle and holds one block at a time. In `stall_percent` of its cycles it does
/// nothing, as when its memory is busy.
class StallingEngine : public oscar::ClockedEngineModule {
public:
    StallingEngine(const sc_core::sc_module_name& name, const oscar::EngineParams& params, std::uint32_t stall_percent)
        : ClockedEngineModule(name, params), lanes_(params.lanes), stall_percent_(stall_percent) {}

private:
    void edge() override {
        work(oscar::EngineArray::encoder, left_[0]);
        work(oscar::EngineArray::decoder, left_[1]);
    }
    /// A cycle: the unit accepts the block that is offered, or codes some of its values.
    void work(oscar::EngineArray unit, std::uint32_t& left) {
        if (random_() % 100 < stall_percent_) return;
        if (accepted(unit) == 0) {
            const oscar::Block* block = offered(unit);
            if (block == nullptr) return;
            left = block->values;
            accept(unit);
        } else if (left > lanes_) {
            left -= lanes_;
        } else {
            finish(unit);
        }
    }

    std::uint32_t lanes_, stall_percent_;
    std::array<std::uint32_t, 2> left_{};   // values of the block in hand, of encoder and decoder
    std::minstd_rand random_;
};
