// The participants of a collective as the simulated machine sees them: the message of each step, and who takes it in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"
#include "models/codec/interface/message_contents.hpp"
#include "models/collective/endpoint/reference.hpp"

namespace oscar {

/// A machine calls send(step) when its sender issues it and receive(step) when all of it has come. Every step of the
/// plan is sent and received once, in an order that its dependencies allow.
class MessageSource {
public:
    virtual ~MessageSource() = default;

    /// True if messages pass the engines; see Codec::uses_engine.
    virtual bool uses_engine() const = 0;
    /// True if messages can be added up without decoding; see Codec::adds_coded.
    virtual bool adds_coded() const { return false; }
    /// True if a receiver may lack the tables of a message; if false, no message is ever sent again.
    virtual bool may_refuse() const = 0;
    /// The number of values that a step carries.
    virtual std::uint64_t values(StepId step) const = 0;

    /// The message of a step. Messages may be shared between steps.
    virtual std::shared_ptr<const Encoded> send(StepId step) = 0;
    /// True if send(step) hands on bytes that its sender received, without encoding.
    virtual bool forwards(StepId step) const = 0;
    /// True if the receiver of a step holds the tables that a block of its message names.
    virtual bool holds_tables_of(StepId step, const Block& block) const = 0;
    /// The message of a step that was refused, made again with a table inline.
    virtual std::shared_ptr<const Encoded> resend(StepId step) = 0;

    /// The blocks of a step's message that its receiver may decode when these first bytes of it have come; see
    /// Codec::blocks_in.
    virtual std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const = 0;
    /// The contents of a step's message, for an engine that codes it; null where messages are sizes without values.
    virtual std::shared_ptr<const MessageContents> contents(StepId, const std::shared_ptr<const Encoded>&) const {
        return nullptr;
    }

    /// The receiver of a step takes in a message; returns its record. Altered bytes have no blocks, because nobody has
    /// parsed them. Throws CorruptStream.
    virtual MessageRecord receive(StepId step, std::shared_ptr<const Encoded> received) = 0;
};

}   // namespace oscar
