#include "models/collective/algorithms/all_reduce/halving_doubling.hpp"

#include <bit>

#include "models/collective/schedule/builder.hpp"

namespace oscar {
namespace {

class HalvingDoubling {
public:
    HalvingDoubling(std::uint32_t ranks, std::uint32_t slices)
        : slices_(slices),
          participants_(std::bit_floor(ranks)),
          excess_(ranks - participants_),
          builder_(ranks, participants_ * slices) {}

    Schedule make() && {
        const auto rounds = static_cast<std::uint32_t>(std::bit_width(participants_) - 1);
        fold(Op::reduce);
        for (std::uint32_t i = 0; i < rounds; ++i) exchange(i, Op::reduce);
        for (std::uint32_t i = rounds; i-- > 0;) exchange(i, Op::copy);
        fold(Op::copy);
        return std::move(builder_).finish();
    }

private:
    Rank rank(std::uint32_t participant) const {
        return Rank{participant < excess_ ? 2 * participant + 1 : participant + excess_};
    }

    /// All chunks from those who do not take part, or to them.
    void fold(Op op) {
        if (excess_ == 0) return;
        for (std::uint32_t chunk = 0; chunk < participants_ * slices_; ++chunk)
            for (std::uint32_t v = 0; v < excess_; ++v) {
                const Rank outside{2 * v}, inside = rank(v);
                if (op == Op::reduce) builder_.send(outside, inside, ChunkId{chunk}, op, timestep_);
                else builder_.send(inside, outside, ChunkId{chunk}, op, timestep_);
            }
        ++timestep_;
    }

    /// Round i: of the chunks that agree with the sender in bits 0 .. i-1, those that agree with the receiver in bit i
    /// too (reduce), or, in the all-gather, those that agree with the sender in bit i too.
    void exchange(std::uint32_t i, Op op) {
        const std::uint32_t bit = 1u << i, low = bit - 1;
        for (std::uint32_t slice = 0; slice < slices_; ++slice)
            for (std::uint32_t v = 0; v < participants_; ++v) {
                const std::uint32_t kept = op == Op::reduce ? v ^ bit : v;
                for (std::uint32_t c = kept & (bit | low); c < participants_; c += 2 * bit)
                    builder_.send(rank(v), rank(v ^ bit), ChunkId{slice * participants_ + c}, op, timestep_);
            }
        ++timestep_;
    }

    std::uint32_t slices_, participants_, excess_, timestep_ = 0;
    ScheduleBuilder builder_;
};

}   // namespace

Schedule make_schedule(const HalvingDoublingParams& params, std::uint32_t ranks) {
    return HalvingDoubling(ranks, params.slices).make();
}

}   // namespace oscar
