#include "tests/collective/fuzz/altered_message.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "models/codec/message/split.hpp"
#include "tests/codec/every_codec.hpp"
#include "tests/collective/support.hpp"

namespace oscar::test {
namespace {

constexpr std::uint32_t ranks = 3, elements = 300, code_bits = 8, link_classes = 3;
constexpr Framing small_framing{.lanes = 4, .lane_values = 16, .min_lane_values = 4};   // two blocks a message

/// A ring in its second iteration, whose links have learnt tables in the first.
class RingOfCodec {
public:
    RingOfCodec(std::unique_ptr<Codec> codec, bool by_class, bool has_trailers)
        : codec_(std::move(codec)), plan_(make_schedule(RingParams{}, ranks), ElementType::integer, code_bits) {
        if (by_class)
            for (std::uint32_t i = 0; i < elements; ++i)
                classes_.push_back(static_cast<std::uint8_t>(i % link_classes));
        for (std::uint32_t r = 0; r < ranks; ++r)
            rank_states_.emplace_back(plan_, *codec_, by_class ? link_classes : 1);
        for (RankState& rank : rank_states_)
            if (has_trailers) rank.totals().count({});
        begin(1);
        run_reference(plan_.schedule, rank_states_);
        for (RankState& rank : rank_states_) rank.commit();
        begin(2);
    }
    RingOfCodec(const RingOfCodec&) = delete;   // ranks hold its plan

    const Plan& plan() const { return plan_; }
    std::vector<RankState>& rank_states() { return rank_states_; }

private:
    void begin(std::uint8_t epoch) {
        const ChunkLayout layout = make_layout(EqualParams{}, elements, {ranks, 1}, {});
        const auto values = codes(ranks, elements, code_bits, epoch);
        for (std::uint32_t r = 0; r < ranks; ++r) rank_states_[r].begin(values[r], layout, epoch, classes_);
    }

    std::unique_ptr<Codec> codec_;
    Plan plan_;
    std::vector<std::uint8_t> classes_;
    std::vector<RankState> rank_states_;
};

/// A step whose message has been sent and has not come.
struct Link {
    std::shared_ptr<RingOfCodec> ring;
    StepId step;
    RankState receiver;
    std::shared_ptr<const Encoded> message, made_anew;
};

/// Links of the first step that adds and of the first that copies.
void append_links(std::vector<Link>& links, const std::shared_ptr<RingOfCodec>& ring) {
    const std::vector<Step>& steps = ring->plan().schedule.steps;
    std::vector<RankState>& states = ring->rank_states();
    const auto first_of = [&](Op op) {
        return static_cast<std::uint32_t>(std::ranges::find(steps, op, &Step::op) - steps.begin());
    };
    for (std::uint32_t s = 0; s < steps.size(); ++s) {   // the order of the list is one that dependencies allow
        const StepId id{s};
        const auto message = states[steps[s].from.value].send(id);
        RankState& receiver = states[steps[s].to.value];
        if (s == first_of(Op::reduce) || s == first_of(Op::copy)) {
            RankState sender = states[steps[s].from.value];
            links.push_back({ring, id, receiver, message, sender.resend(id)});
        }
        receiver.receive(id, bare(*message));
    }
}

/// Whether tables are searched for, which takes the host long.
bool searches(const CodecChoice& choice) {
    const auto* asc = std::get_if<AscParams>(&choice.params);
    const auto* rans = std::get_if<RansParams>(&choice.params);
    return std::holds_alternative<AtalantaParams>(choice.params) || (asc && asc->layout == Layout::ranges) ||
           (rans && rans->layout == Layout::ranges);
}

std::vector<Link> make_links() {
    std::vector<Link> links;
    for (const Named& named : all_codecs()) {
        const CodecChoice& choice = named.choice;
        if (named.name == "fp32" || named.name == "bf16") continue;   // words as they are, without header or check
        const auto append = [&](std::unique_ptr<Codec> codec, bool by_class) {
            append_links(links, std::make_shared<RingOfCodec>(std::move(codec), by_class, !searches(choice)));
        };
        append(make_codec(choice, small_framing), false);
        for_each_kind(splits, [&]<class S>(const Kind<S>&) {
            auto codec = make_codec(choice, small_framing);
            if (std::is_same_v<S, NoSplitParams> || searches(choice) || !codec->uses_classes()) return;
            append(make_split_codec(S{}, std::move(codec), small_framing, link_classes), true);
        });
    }
    return links;
}

const std::vector<Link>& links() {
    static const std::vector<Link> all = make_links();
    return all;
}

void require(bool condition, const char* what) {
    if (!condition) throw std::logic_error(what);
}

/// The blocks of `bytes`, which have the blocks `before` among them, as the first of a message that has come so far.
std::vector<Block> find_more(const Link& link, std::span<const std::byte> bytes, std::span<const Block> before) {
    const std::vector<std::byte> come(bytes.begin(), bytes.end());   // of their own size: sanitizers see a read behind
    std::vector<Block> found = link.receiver.blocks_in(link.step, come);
    std::uint64_t at = 0, values = 0;
    for (const Block& block : found) {
        require(block.offset == at && block.first_value == values, "blocks do not follow each other");
        at += block.bytes;
        values += block.values;
        link.receiver.holds_tables_of(link.step, block);
    }
    require(at <= bytes.size() && values <= elements, "blocks go beyond the message");
    require(before.size() <= found.size() && std::equal(before.begin(), before.end(), found.begin()),
            "blocks change when more has come");
    return found;
}

void find_in_each_part(const Link& link, std::span<const std::byte> bytes) {
    const std::size_t packet = 1 + bytes.size() / 5;
    std::vector<Block> found;
    for (std::size_t size = 0; size < bytes.size(); size += packet) found = find_more(link, bytes.first(size), found);
    find_more(link, bytes, found);
}

bool is_accepted(const Link& link, std::span<const std::byte> bytes) {
    RankState receiver = link.receiver;
    try {
        find_in_each_part(link, bytes);
        receiver.receive(link.step, std::make_shared<const Encoded>(Encoded{{bytes.begin(), bytes.end()}, {}}));
    } catch (const TableMismatch&) {
        try {
            receiver.receive(link.step, bare(*link.made_anew));
        } catch (const CorruptStream& error) {
            throw std::logic_error(std::string("what was made anew is refused: ") + error.what());
        }
        return false;
    } catch (const CorruptStream&) {
        return false;
    }
    receiver.commit();
    return true;
}

}   // namespace

std::size_t altered_message_links() { return links().size(); }

std::vector<std::byte> sound_input(std::size_t link) {
    std::vector<std::byte> input{static_cast<std::byte>(link)};
    const std::vector<std::byte>& bytes = links().at(link).message->bytes;
    input.insert(input.end(), bytes.begin(), bytes.end());
    return input;
}

bool is_accepted(std::span<const std::byte> input) {
    if (input.empty()) return false;
    return is_accepted(links()[static_cast<std::size_t>(input.front()) % links().size()], input.subspan(1));
}

}   // namespace oscar::test
