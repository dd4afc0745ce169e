// The untimed reference run: the same schedule and rank states without network, clock or engine.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/collective/endpoint/step_entropy.hpp"
#include "models/core/parallel.hpp"
#include "models/core/shared_entries.hpp"

namespace oscar {

/// The message that a step put on the wire: its size and its hash.
struct MessageRecord {
    std::uint64_t values = 0, bytes = 0;
    std::uint64_t hash = 0;   ///< XXH3 of the bytes, 0 where they were not made
    friend bool operator==(const MessageRecord&, const MessageRecord&) = default;
};

/// Messages that were refused for their tables and sent again with one inline (docs/tables.md).
struct Resent {
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;   ///< encoded bytes of those that were sent again
    friend bool operator==(const Resent&, const Resent&) = default;
};

/// The record of a reference run, beside the values of the ranks; one entry per step.
struct Reference {
    std::vector<MessageRecord> records;   ///< of the messages that were accepted
    std::vector<std::shared_ptr<const Encoded>> messages;
    std::vector<std::uint64_t> sources;   ///< of the messages (MadeMessage)
    std::vector<SharedCounts> counts;     ///< the same
    std::vector<bool> forwarded;          ///< the sender handed on what it had received
    Resent resent;
};

/// The work of receivers. `decode_bytes`: they decode the message. `take_symbols`: they take the symbols that were
/// encoded, which costs a quarter of the time and leaves the same values, because codecs are lossless. `learn_only`:
/// they take the symbols, and messages have bytes only where these decide what is learnt (RankState::make_unseen); the
/// ranks end with the same values and tables, the record is void.
enum class ReceiverWork : std::uint8_t { decode_bytes, take_symbols, learn_only };

/// Performs the steps of one timestep after the other on rank states that have begun an iteration: all ranks send, then
/// all receive, in the schedule's order each. A message whose tables its receiver does not hold is sent again.
/// Law: any order that the dependencies allow leaves the same values and sends the same bytes.
/// `entropy`, if asked for, is that of the symbols that travelled. `parallel` runs the ranks of a timestep.
Reference run_reference(const Schedule& schedule, std::span<RankState> rank_states, StepEntropy* entropy = nullptr,
                        ReceiverWork work = ReceiverWork::decode_bytes, const ParallelFor& parallel = serial_for);

/// The record of one message of `values` values.
MessageRecord record(std::uint64_t values, std::span<const std::byte> bytes);
/// The record of a message that has `size` bytes but does not show them; its hash is 0.
MessageRecord record(std::uint64_t values, std::uint64_t size);
/// The record of a message that may or may not show its bytes.
MessageRecord record(std::uint64_t values, const Encoded& message);

/// The exact integer sum of all ranks' codes, element by element; no order, no schedule.
std::vector<Symbol> exact_sum(std::span<const std::vector<Symbol>> codes);

/// Sum over timesteps of the largest message / sum over timesteps of the mean message, in bytes (1: balanced).
double imbalance(const Schedule& schedule, const SharedEntries<MessageRecord>& records);

}   // namespace oscar
