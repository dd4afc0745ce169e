// MessageSource without values, for schedules and networks too large to carry any.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "models/collective/endpoint/message_source.hpp"
#include "models/collective/endpoint/rank_state.hpp"

namespace oscar {

/// Sends the messages that a size-only codec (models/codec/message/size_only_codec.hpp) makes of the same number of
/// values, whatever these are; the messages carry none. Messages of equal size are one, shared: memory does not grow
/// with steps or values. Times and wire bytes of a job are the same as with values under the same plan, codec and
/// layout.
class SyntheticMessageSource final : public MessageSource {
public:
    /// The arguments must outlive it. Throws invalid_argument unless the codec is of constant rate: the messages of
    /// other codecs depend on the values.
    SyntheticMessageSource(const Plan& plan, const Codec& codec, const ChunkLayout& layout);

    bool uses_engine() const override { return codec_.uses_engine(); }
    bool adds_coded() const override { return codec_.adds_coded(); }
    bool may_refuse() const override { return false; }
    std::uint64_t values(StepId step) const override;
    std::shared_ptr<const Encoded> send(StepId step) override;
    bool forwards(StepId step) const override;
    bool holds_tables_of(StepId, const Block&) const override { return true; }
    std::shared_ptr<const Encoded> resend(StepId step) override { return send(step); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override;
    MessageRecord receive(StepId step, std::shared_ptr<const Encoded> received) override;

private:
    std::size_t place(Rank rank, std::size_t content, Tier tier) const {
        return (std::size_t{rank.value} * plan_.contents() + content) * tier_count + static_cast<std::size_t>(tier);
    }

    const Plan& plan_;
    const Codec& codec_;
    const ChunkLayout& layout_;
    std::vector<bool>
        encoded_;   ///< [rank][content][tier]: it has encoded it and will send it again; none: nobody does
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::shared_ptr<const Encoded>> messages_;   ///< [values, width]
};

}   // namespace oscar
