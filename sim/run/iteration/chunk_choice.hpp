// Choice of chunks: each participant's layout, by the values and tables of the iteration committed last.
#pragma once

#include <optional>

#include "models/collective/endpoint/reference.hpp"
#include "sim/run/iteration/participants.hpp"

namespace oscar {

/// True if rank 0 cuts the chunks by its own codes, which the others do not know.
bool cuts_by_own_codes(const Participants& participants);

/// Chooses the layouts of all sets, before participants begin the iteration of `codes`. `follows`: an iteration came
/// before it. Ranks that know the same as the first of all share its layout.
void choose_layouts(const MethodSetting& setting, ParticipantSets sets, bool follows, const IterationCodes& codes);

/// The error of predicted sizes: the sum over chunks of the difference between the predicted and the coded share of
/// the whole, over the messages that carry the whole sum of a chunk, to which the prediction refers. None where nothing
/// was predicted. `records`: per step.
std::optional<double> prediction_error(const Plan& plan, const ChunkPlanner& planner,
                                       std::span<const MessageRecord> records);

}   // namespace oscar
