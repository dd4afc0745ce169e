// The compressed ring of reference/validation.md, section 1, to the picosecond: with an engine that takes no time, only
// the coded sizes c[i,k], the rate B and the latency L are left, and what the machine does is a recursion of them.
#include <queue>

#include "tests/machine/plain_engine.hpp"
#include "tests/machine/support.hpp"

namespace oscar::max_plus_test {
namespace {

using test::Draws;
using test::Machine;
using test::MachineSpec;

/// A codec whose blocks cost the engine no cycle.
class Effortless : public Codec {
public:
    explicit Effortless(std::unique_ptr<Codec> codec) : codec_(std::move(codec)) {}
    Encoded encode(std::span<const Symbol> symbols, const Context& context, const Tables& tables) const override {
        Encoded message = codec_->encode(symbols, context, tables);
        for (Block& block : message.blocks) block.work = {};
        return message;
    }
    std::vector<Block> decode(std::span<const std::byte> bytes, const Context& context, const Tables& tables,
                              std::span<Symbol> out) const override {
        std::vector<Block> blocks = codec_->decode(bytes, context, tables, out);
        for (Block& block : blocks) block.work = {};
        return blocks;
    }
    Bytes bound(std::size_t symbols, std::uint32_t width) const override { return codec_->bound(symbols, width); }
    std::uint32_t cost(Symbol symbol, std::uint32_t width, const Table* table) const override {
        return codec_->cost(symbol, width, table);
    }
    TableSource table_source() const override { return codec_->table_source(); }
    void learn(std::span<const Symbol> symbols, std::uint32_t width, Counts& counts) const override {
        codec_->learn(symbols, width, counts);
    }
    Table make_table(const Counts& counts, std::uint32_t width) const override {
        return codec_->make_table(counts, width);
    }

private:
    std::unique_ptr<Codec> codec_;
};

constexpr Frequency edge_each_picosecond{1'000'000'000};
constexpr Bandwidth block_in_a_picosecond{1ULL << 62};   // a serialization is 1 ps at least

/// A ring of 2 to 9 ranks on cables, whose engine takes no time, and one of the codecs that use the engine.
struct BareJob {
    explicit BareJob(std::uint64_t seed) : draw(seed) {
        spec.ranks = draw.number(2, 9);
        spec.topology = CableRingParams{};
        // A byte takes a whole number of picoseconds, so that it does not matter how a message is cut into packets.
        constexpr std::array<std::uint64_t, 8> gbps{1, 4, 10, 25, 40, 100, 200, 400};
        spec.network.link = {{1000 * gbps[draw.between(0, gbps.size() - 1)]}, draw.up_to(2_us), 1_GiB};
        spec.network.packet = {draw.between(64, 90)};
        spec.network.header = 0_B;
        spec.node.gpu = {block_in_a_picosecond, 0_ps};
        spec.node.nic = {draw.up_to(200_ns), 64, edge_each_picosecond};
        spec.node.engine.lanes = draw.number(1, 16);
        spec.node.engine.lane_values = draw.number(256, 1024);
        spec.node.engine.clock = edge_each_picosecond;
        spec.node.engine.encode_latency = spec.node.engine.decode_latency = 0;
        do choice = test::random_codec(draw);
        while (!make_codec(choice, spec.node.engine.framing())->uses_engine());
        slices = draw.number(1, 4);
        elements = spec.ranks * slices * draw.number(400, 1500) + draw.number(0, 100);
    }
    Draws draw;
    MachineSpec spec;
    CodecChoice choice;
    std::uint32_t slices = 1, elements = 0;
};

/// A step by itself. Memory takes a picosecond a block: `read` until the first packet has its blocks, `write` for those
/// that the last packet completes. Between them it keeps up with any wire.
struct Cost {
    Time read, wire, write;
};

std::vector<Cost> costs_of(const Plan& plan, const Reference& run, const NetworkParams& network) {
    std::vector<Cost> costs;
    std::vector<std::int64_t> blocks_read(plan.schedule.ranks);   // the slices of a rank are read one after the other
    for (std::uint32_t i = 0; i < run.records.size(); ++i) {
        const Step& step = plan.schedule.steps[i];
        const std::uint64_t bytes = run.records[i].bytes, packet = network.packet.count;
        EXPECT_GT(bytes, packet);   // the first packet has operands fetched, the last one needs them
        const std::uint64_t last_packet = (bytes - 1) / packet * packet;
        std::int64_t in_first = 0, in_last = 0;
        for (const Block& block : run.messages[i]->blocks) {
            in_first += block.offset < packet ? 1 : 0;
            in_last += block.offset + block.bytes > last_packet ? 1 : 0;
        }
        std::int64_t& read = blocks_read[step.from.value];
        const bool local = step.timestep.value == 0;
        costs.push_back({{local ? read + in_first : 0},
                         serialization(Bytes{bytes}, network.link.bandwidth),
                         {plan.completes(StepId{i}) ? in_last : 0}});
        if (local) read += static_cast<std::int64_t>(run.messages[i]->blocks.size());
    }
    return costs;
}

/// done = max(its data is there, link free) + c/B + L, where a rank's link serves its steps in the order in which they
/// could start, and equals in the order of the schedule.
class Recursion {
public:
    Recursion(const Plan& plan, const std::vector<Cost>& costs, Time latency)
        : schedule_(plan.schedule),
          steps_(schedule_.steps),
          costs_(costs),
          latency_(latency),
          link_(plan.schedule.ranks) {}

    /// Each step starts when those before it are done.
    Time dependency_driven() {
        std::vector<std::size_t> waits(steps_.size());
        std::vector<std::vector<std::size_t>> followers(steps_.size());
        for (std::uint32_t i = 0; i < steps_.size(); ++i) {
            const auto after = schedule_.after(StepId{i});
            waits[i] = after.size();
            for (const StepId before : after) followers[before.value].push_back(i);
            if (waits[i] == 0) free_.push({costs_[i].read, i});
        }
        while (!free_.empty()) {
            const auto [i, done] = serve_next();
            for (const std::size_t next : followers[i])   // of one step, the last to come is the latest
                if (--waits[next] == 0) free_.push({done, next});
        }
        return last_;
    }
    /// Sum over k of max over i, where slices share their sender's link.
    Time lock_step() {
        Time round;
        for (std::uint32_t k = 0; k <= steps_.back().timestep.value; ++k) {
            for (std::size_t i = 0; i < steps_.size(); ++i)
                if (steps_[i].timestep.value == k) free_.push({round + costs_[i].read, i});
            while (!free_.empty()) round = std::max(round, serve_next().second);
        }
        return last_;
    }

private:
    std::pair<std::size_t, Time> serve_next() {
        const auto [at, i] = free_.top();
        free_.pop();
        Time& link = link_[steps_[i].from.value];
        link = std::max(link, at) + costs_[i].wire;
        last_ = std::max(last_, link + latency_ + costs_[i].write);
        return {i, link + latency_};
    }

    using Entry = std::pair<Time, std::size_t>;
    const Schedule& schedule_;
    const std::vector<Step>& steps_;
    const std::vector<Cost>& costs_;
    Time latency_, last_;
    std::vector<Time> link_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> free_;
};

class MaxPlus : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(MaxPlus, RecursionOfTheCodedSizesIsTheSimulatedTimeToThePicosecond) {
    const BareJob job(GetParam());
    Machine machine(job.spec, "machine", test::plain_engines());
    const Effortless codec(make_codec(job.choice, job.spec.node.engine.framing()));
    const auto values = test::codes(job.spec.ranks, job.elements, 8, GetParam());
    const Time latency = job.spec.network.link.propagation + 2 * job.spec.node.nic.latency;
    for (const Issue issue : {Issue::lock_step, Issue::dependency}) {
        SCOPED_TRACE(::testing::Message() << job.spec.ranks << " ranks, " << job.choice.name() << ", " << job.slices
                                          << " slices, " << to_text(issue) << ", " << job.elements << " elements");
        const Plan plan{make_schedule(RingParams{issue, job.slices}, job.spec.ranks), ElementType::integer, 8};
        const auto run = machine.run(plan, codec, values, issue);
        EXPECT_EQ(run.outcome.records, run.reference.records);
        const auto costs = costs_of(plan, run.reference, job.spec.network);
        Recursion form(plan, costs, latency);
        EXPECT_EQ(run.outcome.duration(), issue == Issue::lock_step ? form.lock_step() : form.dependency_driven());
    }
}

INSTANTIATE_TEST_SUITE_P(Seed, MaxPlus, ::testing::Range<std::uint64_t>(300, 340));

}   // namespace
}   // namespace oscar::max_plus_test
