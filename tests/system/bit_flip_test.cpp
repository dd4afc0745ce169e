// Ten thousand flipped bits on the wire, over all codecs and steps: no sum becomes wrong unnoticed.
#include <gmock/gmock.h>

#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "tests/codec/every_codec.hpp"
#include "tests/machine/support.hpp"

namespace oscar::bit_flip_test {
namespace {

constexpr std::uint64_t places = 10'000, seed = 1;
constexpr std::uint32_t ranks = 4, bits = 8;
const Framing framing{.lanes = 4, .lane_values = 16, .min_lane_values = 4};

/// Messages of one to several packets, a few of which are hit.
test::MachineSpec hit_by(PacketCheck check) {
    test::MachineSpec spec;
    spec.network.packet = 96_B;
    spec.network.reliability = GoBackNParams{};
    spec.network.faults = FaultParams{.flip = 0.15, .check = check, .seed = seed};
    spec.node.engine = {.lanes = 4, .lane_values = 16, .min_lane_values = 4};
    return spec;
}

/// What became of damaged messages.
struct Verdicts {
    std::uint64_t came = 0, by_header = 0, by_decoder = 0, by_encoder = 0, by_sums = 0, harmless = 0;
    std::uint64_t refused = 0;   ///< beside those that came: for the tables that they name, and sent again
    std::uint64_t judged() const { return by_header + by_decoder + by_encoder + by_sums + harmless; }
    Verdicts& operator+=(const Verdicts& o) {
        came += o.came, by_header += o.by_header, by_decoder += o.by_decoder, by_encoder += o.by_encoder;
        by_sums += o.by_sums, harmless += o.harmless, refused += o.refused;
        return *this;
    }
    friend std::ostream& operator<<(std::ostream& out, const Verdicts& v) {
        return out << v.came << " damaged messages came: noticed in a block's header " << v.by_header
                   << ", by the decoder " << v.by_decoder << ", when the sum was encoded " << v.by_encoder
                   << ", by the sums " << v.by_sums << ", harmless " << v.harmless << "; refused for their table "
                   << v.refused;
    }
};

/// An iteration: what every rank begins it with.
struct Work {
    const Plan& plan;
    const Codec& codec;
    std::vector<RankState> before;
    std::vector<Symbol> sum;
};

/// Stands between the machine and its ranks: tells what notices damage, and then goes on with what was sent, so
/// that one run meets many of them.
class Inspected final : public MessageSource {
public:
    Inspected(const Work& work, std::span<RankState> rank_states)
        : work_(work), rank_states_(rank_states), inner_(work.plan, rank_states, work.codec) {}

    bool uses_engine() const override { return inner_.uses_engine(); }
    bool adds_coded() const override { return inner_.adds_coded(); }
    bool may_refuse() const override { return inner_.may_refuse(); }
    std::uint64_t values(StepId step) const override { return inner_.values(step); }
    bool forwards(StepId step) const override { return inner_.forwards(step); }
    std::shared_ptr<const Encoded> send(StepId step) override { return sent_[step] = inner_.send(step); }
    std::shared_ptr<const Encoded> resend(StepId step) override {
        ++verdicts_.refused;
        return sent_[step] = inner_.resend(step);
    }
    bool holds_tables_of(StepId step, const Block& block) const override { return inner_.holds_tables_of(step, block); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override {
        try {
            return inner_.blocks_in(step, begin);
        } catch (const CorruptStream&) {
            bad_headers_.insert(step);
            return {};
        }
    }
    MessageRecord receive(StepId step, std::shared_ptr<const Encoded> came) override {
        const auto sent = sent_.at(step);
        if (came != sent) inspect(step, *came, *sent);
        return inner_.receive(step, sent);
    }

    /// What has noticed each damaged message, also of those that their receiver decoded.
    const Verdicts& judge() {
        for (const auto& [step, came] : unnoticed_) ++(verdicts_.*verdict_of(step, came));
        return verdicts_;
    }

private:
    void inspect(StepId step, const Encoded& came, const Encoded& sent) {
        ASSERT_TRUE(came.blocks.empty());   // nobody has told the receiver what is in these bytes
        ASSERT_EQ(came.bytes.size(), sent.bytes.size());
        ASSERT_NE(came.bytes, sent.bytes);
        ++verdicts_.came;
        RankState receiver = rank_states_[work_.plan.schedule.steps[step.value].to.value];
        try {
            receiver.receive(step, test::bare(came));
            unnoticed_[step] = test::bare(came);
        } catch (const CorruptStream&) {
            ++(bad_headers_.contains(step) ? verdicts_.by_header : verdicts_.by_decoder);
        }
    }
    /// The rest of the collective with this one message damaged.
    std::uint64_t Verdicts::*verdict_of(StepId damaged, const std::shared_ptr<const Encoded>& came) const {
        std::vector<RankState> states = work_.before;
        const std::vector<Step>& steps = work_.plan.schedule.steps;
        try {
            for (StepId id; id.value < steps.size(); ++id.value) {
                RankState &from = states[steps[id.value].from.value], &to = states[steps[id.value].to.value];
                auto message = from.send(id);
                try {
                    to.receive(id, id == damaged ? came : message);
                } catch (const TableMismatch&) {
                    to.receive(id, from.resend(id));
                }
            }
        } catch (const std::invalid_argument&) {
            return &Verdicts::by_encoder;   // a sum beyond its width
        } catch (const CorruptStream&) {
            return &Verdicts::by_decoder;
        }
        const auto holds_sum = [&](const RankState& state) {
            return std::ranges::equal(state.values().all(), work_.sum);
        };
        if (!std::ranges::all_of(states, holds_sum)) return &Verdicts::by_sums;   // the check at the end of a run
        return &Verdicts::harmless;
    }

    const Work& work_;
    std::span<RankState> rank_states_;
    LiveMessageSource inner_;
    std::map<StepId, std::shared_ptr<const Encoded>> sent_, unnoticed_;
    mutable std::set<StepId> bad_headers_;
    Verdicts verdicts_;
};

/// Iterations of one codec until so many packets were hit.
std::uint64_t iterate(test::Machine& machine, const CodecChoice& choice, std::uint64_t hits,
                      const std::function<void(const Outcome&, Inspected&)>& judge) {
    const auto codec = make_codec(choice, framing);
    const Plan plan = test::int8_plan(ranks);
    std::vector<RankState> rank_states = test::make_endpoints(plan, *codec);
    std::uint64_t hit = 0;
    for (std::uint32_t i = 0; hit < hits; ++i) {
        const auto values = test::codes(ranks, 4 * (60 + i % 90), bits, i);
        test::begin(rank_states, values, plan, static_cast<std::uint8_t>(i));
        const Work work{plan, *codec, rank_states, exact_sum(values)};
        Inspected participants(work, rank_states);
        const Outcome outcome = machine.system().run(
            {plan, participants, i % 2 == 0 ? Issue::lock_step : Issue::dependency, {}, {}, i + 1});
        for (const RankState& rank_state : rank_states)
            EXPECT_TRUE(std::ranges::equal(rank_state.values().all(), work.sum));
        agree_on_tables(rank_states);
        for (RankState& rank_state : rank_states) rank_state.commit();
        hit += outcome.faults->flipped;
        judge(outcome, participants);
    }
    return hit;
}

TEST(BitFlips, AtTenThousandPlacesAreAllNoticedByTheCrcAndRepaired) {
    test::Machine machine(hit_by(PacketCheck::crc32));
    std::cout << "seed " << seed << "\n";
    const auto all = all_codecs();
    std::uint64_t hit = 0;
    for (const Named& named : all) {
        SCOPED_TRACE(named.name);
        hit += iterate(machine, named.choice, places / all.size() + 1, [&](const Outcome& outcome, Inspected& i) {
            ASSERT_EQ(outcome.faults->flipped, outcome.faults->crc_errors);
            ASSERT_EQ(i.judge().came, 0u);
        });
    }
    EXPECT_GE(hit, places);
}

TEST(BitFlips, AtTenThousandPlacesBehindTheCrcMakeNoSumWrongUnnoticed) {
    test::Machine machine(hit_by(PacketCheck::none));
    std::cout << "seed " << seed << "\n";
    const auto all = all_codecs();
    Verdicts total;
    std::uint64_t hit = 0;
    for (const Named& named : all) {
        SCOPED_TRACE(named.name);
        Verdicts of_codec;
        hit += iterate(machine, named.choice, places / all.size() + 1, [&](const Outcome& outcome, Inspected& i) {
            ASSERT_EQ(outcome.faults->crc_errors, 0u);
            const Verdicts& verdicts = i.judge();
            ASSERT_EQ(verdicts.came, verdicts.judged());
            of_codec += verdicts;
        });
        std::cout << named.name << ": " << of_codec << "\n";
        total += of_codec;
    }
    std::cout << "all: " << total << "\n";
    EXPECT_GE(hit, places);
    EXPECT_GT(total.by_header, 0u);
    EXPECT_GT(total.by_decoder, 0u);
    EXPECT_GT(total.by_sums, 0u);
    EXPECT_GT(total.harmless, 0u);
    EXPECT_GT(total.refused, 0u);
}

}   // namespace
}   // namespace oscar::bit_flip_test
