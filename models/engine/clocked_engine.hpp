// An engine that answers when it has done the work: what a clocked module, or RTL, stands behind.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/codec/interface/message_contents.hpp"
#include "models/engine/engine.hpp"

namespace oscar {

/// The arrays of an engine, each a unit that serves blocks.
enum class EngineArray : std::uint8_t { encoder, decoder };

/// The NIC submits blocks, and the units take them by valid and ready: a block is offered from the time on at which its
/// data is there (valid), stays offered until its unit accepts it (ready), and is answered when the unit finishes it.
/// Each unit takes and finishes blocks in the order of their submission; it may accept several before it finishes the
/// first. What a block waits for, its rank waits for: the NIC sends a packet once all its blocks are finished.
class ClockedEngine : public Engine {
public:
    /// Called in the instant in which the block is finished.
    using Answer = std::function<void(const TimedEvent& done)>;

    void begin() override;
    /// A block for a unit.
    struct Work {
        TimedEvent ready;   ///< since when its values or bytes, tables and operands are there; may be later than now
        Block block;
        std::shared_ptr<const MessageContents> contents;   ///< of its message, if codes_blocks()
    };
    void submit(EngineArray unit, Work work, Answer answer);
    /// True if it needs the contents of messages, because it codes them.
    virtual bool codes_blocks() const { return false; }
    /// Blocks submitted and not finished, of both units.
    std::size_t unanswered() const;
    const std::vector<Span>& encoder_busy() const override { return units_[0].busy; }
    const std::vector<Span>& decoder_busy() const override { return units_[1].busy; }
    /// Told why the engine cannot go on.
    void on_failure(std::function<void(std::exception_ptr)> failed) { failed_ = std::move(failed); }

protected:
    /// The oldest block that the unit has not accepted, if its data is there; null if nothing is offered.
    const Block* offered(EngineArray unit) const;
    /// The contents of its message; null unless codes_blocks().
    const std::shared_ptr<const MessageContents>& contents_of_offered(EngineArray unit) const {
        return of(unit).offered.front().work.contents;
    }
    /// Takes the block that is offered. Precondition: there is one.
    void accept(EngineArray unit);
    /// The unit's input is free of the oldest accepted block that occupies it; what follows is latency. A unit that
    /// does not say so is occupied until it finishes the block.
    void release(EngineArray unit);
    /// The oldest accepted block is done now. Precondition: there is one.
    void finish(EngineArray unit);
    /// Blocks that the unit has accepted and not finished.
    std::size_t accepted(EngineArray unit) const { return of(unit).accepted.size(); }
    /// The earliest time at which a block is offered, now or later, that no unit has accepted; nothing if there is
    /// none.
    std::optional<Time> next_offer() const;
    /// Gives up: the run ends with this error.
    void fail(std::exception_ptr why) { failed_(std::move(why)); }

    /// The time.
    virtual Time now() const = 0;
    /// A block is going to be offered, at this time or once those before it are accepted.
    virtual void will_offer(Time at) = 0;
    /// Nothing is left to be answered.
    virtual void all_answered() {}

    struct Request {
        EngineArray unit;
        Time ready;
        std::uint32_t values;
    };
    /// The unanswered block whose data has been there longest. Precondition: there is one.
    Request oldest() const;

private:
    struct Waiting {
        Work work;
        Answer answer;
    };
    struct Taken {
        Waiting waiting;
        Time since;
        std::optional<TimedEvent> released = {};   ///< the unit's input
    };
    struct Unit {
        std::deque<Waiting> offered;
        std::deque<Taken> accepted;
        TimedEvent free;   ///< of the block accepted before
        std::vector<Span> busy;
    };
    Unit& of(EngineArray unit) { return units_[static_cast<std::size_t>(unit)]; }
    const Unit& of(EngineArray unit) const { return units_[static_cast<std::size_t>(unit)]; }

    std::array<Unit, 2> units_;
    std::function<void(std::exception_ptr)> failed_;
};

}   // namespace oscar
