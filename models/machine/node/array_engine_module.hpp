// The engine as two arrays on a clock: the RTL, or counters of its cycles.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/engine/arrays/rtl_library.hpp"
#include "models/machine/node/clocked_engine_module.hpp"

namespace oscar {

/// Gives blocks to the arrays and clocks them while they hold any. Before a block that needs tables or a width other
/// than those at hand, an array gives out the blocks before it and takes those up.
class ArrayEngineModule final : public ClockedEngineModule {
public:
    ArrayEngineModule(const sc_core::sc_module_name& name, const EngineParams& params, MakeArray make);

    void begin() override;
    bool codes_blocks() const override { return true; }

private:
    /// A message with the tables that code it, those that it brings included.
    struct Message {
        std::shared_ptr<const MessageContents> contents;
        std::vector<Table> tables;
    };
    /// An array and what it holds.
    struct Side {
        std::array<std::shared_ptr<ArrayModel>, 2> by_layout = {};   ///< made when they are needed first
        Layout layout = Layout::magnitude;
        ArrayModel* model = nullptr;      ///< that of this layout, once there was a block
        Cycles clocked = 0;               ///< up to the edge of this cycle
        ArrayModel::Widths widths = {};   ///< taken up last; 0: none
        std::vector<Table> tables = {};
        std::shared_ptr<const Message> message = {};              ///< of the block offered last
        std::deque<std::shared_ptr<const Message>> inside = {};   ///< of each block in the array
    };

    void edge() override;
    void clock(EngineArray unit);
    void step(EngineArray unit);
    void offer(EngineArray unit);
    void see_message(EngineArray unit, Side& side) const;
    bool prepare(EngineArray unit, const Block& block);
    ArrayBlock block_of(const Message& message, const Block& block) const;
    void use_layout(EngineArray unit, Layout layout);
    Side& of(EngineArray unit) { return sides_[static_cast<std::size_t>(unit)]; }

    Framing framing_;
    MakeArray make_;
    std::array<Side, 2> sides_;
};

/// The engine of `params.kind` cycles or rtl. Throws runtime_error if there is no RTL of its shape.
std::unique_ptr<Engine> make_array_engine_module(const std::string& name, const EngineParams& params);

}   // namespace oscar
