// Lossy methods on the simulated machine.
#include "sim/run/lossy/lossy_run.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

#include "models/compressor/base/feedback.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/config/error.hpp"
#include "tests/compressor/distributions.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::lossy_run_test {
namespace {

using namespace test;
using ::testing::HasSubstr;

constexpr std::uint32_t ranks = 4;
constexpr std::uint32_t values = 96 * 256 + 301;   // enough for the defaults of every kind
const std::vector<TensorShape> shapes{{0, 96 * 256, 96}, {96 * 256, 96 * 256 + 300, 0}, {96 * 256 + 300, values, 0}};

IterationCodes gradients_at(std::uint32_t position) {
    IterationCodes it;
    it.position = position;
    it.continues = position > 0;
    it.gradients = testing::random_gradients(ranks, values, position);
    it.codes.assign(ranks, std::vector<Symbol>(values));
    return it;
}

Method lossy(const LossyKind& kind) {
    Method method{std::string(kind.name()), Fp32Params{}};
    method.lossy.emplace().compressor = kind;
    return method;
}

LossyRun lossy_run_of(const SmallMachine& machine, const Method& method) {
    return {machine.parameters, method, machine.routes, shapes, 7, {}, serial_for};
}

/// The mean that the compressor makes in the second iteration where ranks are summed in their order.
std::vector<float> untimed_mean(const LossyKind& kind) {
    const auto compressor = with_error_feedback(make_compressor(kind, ranks, 7));
    CompressionResult step;
    for (std::uint32_t i = 0; i < 2; ++i) step = compressor->step(views(gradients_at(i).gradients), shapes);
    return step.mean;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
    double squares = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        squares += std::pow(double{a[i]} - double{b[i]}, 2);
        all += std::pow(double{b[i]}, 2);
    }
    return all > 0 ? std::sqrt(squares / all) : std::sqrt(squares);
}

/// Every kind of compressor on every AllReduce.
void expect_sums_on_all_collectives(TimingFidelity fidelity) {
    Parameters p = SmallMachine::of(ranks);
    p.fidelity = fidelity;
    const Topology topology = make_topology(p.network, ranks);
    const Routes routes(topology, p.network.routing);
    Machine machine("machine", topology, NodeParams{p.gpu, p.nic, p.engine}, p.network, fidelity);
    std::map<std::string_view, std::vector<float>> means;
    for_each_kind(collectives, [&]<class C>(const Kind<C>& collective) {
        if (C{}.operation != Operation::all_reduce) return;
        p.collective = C{};
        for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
            SCOPED_TRACE(std::string(collective.name) + ", " + std::string(kind.name));
            const Method method = lossy(P{});
            LossyRun run(p, method, routes, shapes, 7, {}, serial_for);
            run.warm_up(gradients_at(0));
            run.iterate(machine, gradients_at(1), {}, {}, [](double) {});
            EXPECT_EQ(run.results().front().sums_match_reference, true);
            auto& untimed = means[kind.name];
            if (untimed.empty()) untimed = untimed_mean(P{});
            // Floats are summed in the order of the schedule, which may move the last bits.
            EXPECT_LT(distance(run.mean(), untimed), 1e-5);
        });
    });
}

TEST(LossyRun, LeavesTheUntimedMeanAtAllRanksOnEveryAllReduceByMessage) {
    expect_sums_on_all_collectives(TimingFidelity::message);
}
TEST(LossyRun, LeavesTheUntimedMeanAtAllRanksOnEveryAllReduceByPacket) {
    expect_sums_on_all_collectives(TimingFidelity::packet);
}
TEST(LossyRun, LeavesTheUntimedMeanAtAllRanksOnEveryAllReduceByFlit) {
    expect_sums_on_all_collectives(TimingFidelity::flit);
}

template <class P, class V>
LossyKind with(P params, V P::*field, V value) {
    params.*field = value;
    return params;
}

/// Settings that take carriers or words which no default reaches.
std::vector<LossyKind> other_settings() {
    SparsifierParams<TopKSelect> halves, fused;
    halves.value_bytes = 2;
    fused.messages = Messages::fused;
    fused.index_bytes = 8;
    SparsifierParams<RandomKSelect> own_lots;
    own_lots.lots = Lots::per_rank;
    TagcParams all_units;
    all_units.units = Units::all;
    return {halves,
            fused,
            own_lots,
            all_units,
            with(ThcParams{}, &ThcParams::carrier, ThcCarrier::ring),
            with(QsgdParams{}, &QsgdParams::scope, NormScope::shared),
            with(TernGradParams{}, &TernGradParams::packing, TernaryPacking::five_in_a_byte),
            with(SignVoteParams{}, &SignVoteParams::zeros, ZeroVote::positive),
            with(OscarSwParams{}, &OscarSwParams::cells, CodeCells::narrowest),
            with(OscarSwParams{}, &OscarSwParams::mode, OscarSwMode::packed_and_sketch),
            with(OscarSwParams{}, &OscarSwParams::mode, OscarSwMode::two_sketches)};
}

/// Two iterations on a ring, the second of them simulated.
void expect_untimed_mean(SmallMachine& machine, const Method& method) {
    LossyRun run = lossy_run_of(machine, method);
    run.warm_up(gradients_at(0));
    run.iterate(machine.system, gradients_at(1), {}, {}, [](double) {});
    EXPECT_EQ(run.results().front().sums_match_reference, true);
    EXPECT_LT(distance(run.mean(), untimed_mean(method.lossy->compressor)), 1e-5);
}

TEST(LossyRun, LeavesTheUntimedMeanWithSettingsThatDefaultsDoNotReach) {
    SmallMachine machine(ranks);
    const std::vector<LossyKind> settings = other_settings();
    for (std::size_t i = 0; i < settings.size(); ++i) {
        SCOPED_TRACE(std::to_string(i) + ", " + std::string(settings[i].name()));
        expect_untimed_mean(machine, lossy(settings[i]));
    }
}

TEST(LossyRun, LeavesTheUntimedMeanWhereItsIntegersAreCoded) {
    SmallMachine machine(ranks);
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        Method method = lossy(P{});
        method.lossy->coded = true;
        method.codec = AscParams{};
        send_integers(method.lossy->compressor);
        expect_untimed_mean(machine, method);
    });
}

/// Bytes that all ranks send of an exchange of whole memory words on rings and chains.
std::uint64_t bytes_sent(const WordExchange& exchange) {
    std::uint64_t all = 0;
    for (const std::uint64_t bytes : exchange.payload) all += bytes;
    switch (exchange.carrier) {
        case CollectiveKind::all_reduce:
            return 2 * (ranks - 1) * std::max<std::uint64_t>(exchange.padded, 4 * ranks);   // a word a chunk at least
        case CollectiveKind::reduce_scatter:
            return (ranks - 1) * std::max<std::uint64_t>(exchange.padded, 4 * ranks);
        case CollectiveKind::reduce:
            return (ranks - 1) * std::max<std::uint64_t>(exchange.padded, 4 * 16);
        case CollectiveKind::all_gather:
            return (ranks - 1) * ranks * exchange.padded;
        case CollectiveKind::broadcast:
            return (ranks - 1) * exchange.padded;
        case CollectiveKind::all_to_all:
            return ranks * (ranks - 1) * ((exchange.padded / 4 + ranks - 1) / ranks * 4);
        case CollectiveKind::shift:
            return all;
    }
    return 0;
}

TEST(LossyRun, PutsAsManyBytesOnTheWireAsTheCompressorCounts) {
    SmallMachine machine(ranks);
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        const Method method = lossy(P{});
        LossyRun run = lossy_run_of(machine, method);
        run.iterate(machine.system, gradients_at(0), {}, {}, [](double) {});
        const auto compressor = with_error_feedback(make_compressor(LossyKind(P{}), ranks, 7));
        std::uint64_t counted = 0;
        bool shards = false;     // left with their owners, so that the mean is gathered at last
        bool gathers = false;    // unless the method gathers what it leaves itself
        bool integers = false;   // whose sums widen from step to step, so that the count is an upper bound
        for (const WordExchange& e : compressor->step(views(gradients_at(0).gradients), shapes).exchanges) {
            counted += bytes_sent(e);
            shards = shards || e.carrier == CollectiveKind::reduce || e.carrier == CollectiveKind::reduce_scatter;
            gathers = gathers || e.carrier == CollectiveKind::all_gather;
            integers =
                integers || e.what == "codes" || e.what == "votes" || e.what == "sums" || e.what == "ternary values";
        }
        if (shards && !gathers) counted += (ranks - 1) * ranks * 4 * ((values + ranks - 1) / ranks);
        const std::uint64_t sent = run.results().front().payload_bytes;
        if (integers) EXPECT_LT(sent, counted + 64);
        else EXPECT_EQ(sent, counted);
    });
}

/// The values that a step's messages represent on rings: a sum passes 2 (ranks-1) links, as does what goes to owners
/// and comes back; what is gathered passes ranks-1 for each rank.
std::uint64_t represented_by(const std::vector<WordExchange>& exchanges) {
    bool gathers = false, owned = false;
    std::uint64_t dense = 0;   // tensors that DGC and GraVAC sum
    for (const WordExchange& exchange : exchanges) {
        gathers |= exchange.carrier == CollectiveKind::all_gather;
        owned |= exchange.carrier != CollectiveKind::all_gather && exchange.carrier != CollectiveKind::all_reduce &&
                 exchange.carrier != CollectiveKind::broadcast;
        if (exchange.what == "gradient" && exchange.carrier == CollectiveKind::all_reduce) dense += exchange.floats;
    }
    if (owned || !gathers) return 2 * (ranks - 1) * values;
    return 2 * (ranks - 1) * dense + ranks * (ranks - 1) * (values - dense);
}

void expect_each_value_counted_as_often_as_sent(SmallMachine& machine, const Method& method) {
    LossyRun run = lossy_run_of(machine, method);
    run.warm_up(gradients_at(0));
    run.iterate(machine.system, gradients_at(1), {}, {}, [](double) {});
    EXPECT_EQ(run.results().front().values, represented_by(run.compressed()->exchanges));
}

TEST(LossyRun, CountsEachValueOfTheGradientAsOftenAsItsMessagesAreSent) {
    SmallMachine machine(ranks);
    std::vector<LossyKind> kinds = other_settings();
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>&) { kinds.emplace_back(P{}); });
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        SCOPED_TRACE(std::to_string(i) + ", " + std::string(kinds[i].name()));
        expect_each_value_counted_as_often_as_sent(machine, lossy(kinds[i]));
    }
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(kind.name) + ", coded");
        Method method = lossy(P{});
        method.lossy->coded = true;
        method.codec = AscParams{};
        send_integers(method.lossy->compressor);
        expect_each_value_counted_as_often_as_sent(machine, method);
    });
}

/// Of one tensor of 25,600 values, by a step of `n` ranks.
double bits_per_value(SmallMachine& machine, const LossyKind& kind) {
    constexpr std::uint32_t size = 25'600;
    IterationCodes it;
    it.gradients = testing::random_gradients(machine.parameters.ranks, size, 1);
    it.codes.assign(machine.parameters.ranks, std::vector<Symbol>(size));
    LossyRun run(machine.parameters, lossy(kind), machine.routes, {{0, size, 0}}, 7, {}, serial_for);
    run.iterate(machine.system, it, {}, {}, [](double) {});
    return run.results().front().bits_per_value;
}

class BitsOfAValue : public ::testing::TestWithParam<std::uint32_t> {};
TEST_P(BitsOfAValue, OfMethodsThatGatherDoNotGrowWithTheRanks) {
    SmallMachine machine(GetParam());
    SparsifierParams<TopKSelect> a_tenth;
    a_tenth.factor = 10;
    EXPECT_DOUBLE_EQ(bits_per_value(machine, DenseParams{}), 32);
    EXPECT_DOUBLE_EQ(bits_per_value(machine, QsgdParams{}), 8 + 32 / 128.0);          // a norm for each 128 values
    EXPECT_DOUBLE_EQ(bits_per_value(machine, TernGradParams{}), 2 + 32 / 25'600.0);   // a scaler
    EXPECT_DOUBLE_EQ(bits_per_value(machine, OneBitParams{}), 1 + 64 / 25'600.0);     // two means
    EXPECT_DOUBLE_EQ(bits_per_value(machine, a_tenth), (32 + 32) / 10.0);             // of one in ten, and its index
}
INSTANTIATE_TEST_SUITE_P(Ranks, BitsOfAValue, ::testing::Values(2, 4, 8, 16));

TEST(LossyRun, TakesAsLongAsFp32WhereNothingIsLeftOut) {
    SmallMachine machine(ranks);
    MethodRun fp32_run(machine.parameters, fp32, machine.routes, {{0, values}});
    const IterationCodes it = gradients_at(0);
    fp32_run.iterate(machine.system, it, {}, {});
    LossyRun dense = lossy_run_of(machine, lossy(DenseParams{}));
    dense.iterate(machine.system, it, {}, {}, [](double) {});
    const IterationResult &a = dense.results()[0], &b = fp32_run.results()[0];
    EXPECT_EQ(a.allreduce_ps, b.allreduce_ps);
    EXPECT_EQ(a.closed_form_ps, b.closed_form_ps);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    EXPECT_EQ(a.values, b.values);
    EXPECT_EQ(a.relative_l2_error, b.fidelity->relative_l2_error);
}

TEST(LossyRun, TakesTheTimeOfItsKernelsAndOfAllExchangesButTheOverlappedOnes) {
    SmallMachine machine(ranks);
    LossyRun run = lossy_run_of(machine, lossy(OscarSwParams{}));
    run.warm_up(gradients_at(0));
    run.iterate(machine.system, gradients_at(1), {}, {}, [](double) {});
    const IterationResult& result = run.results().front();
    std::int64_t needed = 0, hidden = 0;
    std::uint64_t bytes = 0;
    for (const ExchangeReport& exchange : result.exchanges) {
        (exchange.overlapped ? hidden : needed) += exchange.time_ps;
        bytes += exchange.payload_bytes;
    }
    EXPECT_GT(hidden, 0);   // of the mask
    EXPECT_EQ(result.allreduce_ps, needed + result.gpu_kernel_ps);
    EXPECT_EQ(result.critical_path.total_ps(), result.allreduce_ps);
    EXPECT_EQ(result.payload_bytes, bytes);
}

TEST(LossyRun, EncodesAShardWhileTheShardBeforeTravelsAndGathersTheMeanWhenAllIsDecoded) {
    SmallMachine machine(ranks);
    TagcParams params;
    params.min_elements = 1000;
    params.lanes = 4;
    params.ratio = 4;
    Parameters p = machine.parameters;
    p.gpu.kernel_latency = 1_ms;   // much longer than an exchange, so that the last three exchanges hide none
    p.gpu.launch = 0_us;
    const Method method = lossy(params);
    LossyRun run(p, method, machine.routes, shapes, 7, {}, serial_for);
    run.iterate(machine.system, gradients_at(0), {}, {}, [](double) {});
    const IterationResult& result = run.results().front();
    CriticalPath kernels;
    std::int64_t exchanges = 0, beside_kernels = 0;
    for (std::size_t i = 0; i < result.exchanges.size(); ++i) {
        const WordExchange& exchange = run.compressed()->exchanges[i];
        kernels += compression_kernels(p.gpu, exchange.encoding);
        kernels += compression_kernels(p.gpu, exchange.decoding);
        exchanges += result.exchanges[i].time_ps;
        const bool of_last_shard = i / 2 + 1 == ranks;
        if (!of_last_shard && exchange.what != "mean") beside_kernels += result.exchanges[i].time_ps;
    }
    EXPECT_EQ(result.gpu_kernel_ps, kernels.total_ps() - beside_kernels);
    EXPECT_EQ(result.allreduce_ps, exchanges + result.gpu_kernel_ps);
    EXPECT_EQ(result.critical_path.total_ps(), result.allreduce_ps);
}

TEST(LossyRun, TellsWhatItsControllerDid) {
    SmallMachine machine(ranks);
    GravacParams params;
    params.epsilon = 0;   // any gain will do, so that the candidate is sent
    LossyRun run = lossy_run_of(machine, lossy(params));
    for (std::uint32_t i = 0; i < 2; ++i) run.iterate(machine.system, gradients_at(i), {}, {}, [](double) {});
    const std::vector<FactorReport>& factors = run.results().back().factors;
    ASSERT_EQ(factors.size(), 2u);
    EXPECT_EQ(factors[0].factor, 10);
    EXPECT_EQ(factors[0].tensors, 0u);
    EXPECT_EQ(factors[1].factor, 20);
    EXPECT_EQ(factors[1].tensors, shapes.size());
    EXPECT_EQ(factors[1].tried, 1u);
    EXPECT_EQ(factors[1].gain, run.compressed()->gains[1].gain);
    EXPECT_GT(factors[1].throughput.value(), 0);   // of the iteration before
}

TEST(LossyRun, WaitsForALateRankOnce) {
    SmallMachine machine(ranks);
    std::vector<std::int64_t> times;
    for (const Time late : {0_us, 500_us}) {
        LossyRun run = lossy_run_of(machine, lossy(OscarSwParams{}));
        run.iterate(machine.system, gradients_at(0), {0_us, late, 0_us, 0_us}, {}, [](double) {});
        EXPECT_GT(run.results().front().exchanges.size(), 2U);
        times.push_back(run.results().front().allreduce_ps);
    }
    EXPECT_GT(times[1], times[0] + (400_us).ps);
    EXPECT_LE(times[1], times[0] + (500_us).ps);
}

TEST(LossyRun, PaysTheHostsLaunchOfEachExchangeThatTheStepNeeds) {
    SmallMachine machine(ranks);
    std::vector<IterationResult> results;
    for (const Time launch : {0_us, 7_us}) {
        Parameters p = machine.parameters;
        p.gpu.launch = launch;
        const Method method = lossy(OscarSwParams{});
        LossyRun run(p, method, machine.routes, shapes, 7, {}, serial_for);
        run.iterate(machine.system, gradients_at(0), {}, {}, [](double) {});
        results.push_back(run.results().front());
    }
    const auto needed = std::ranges::count(results[1].exchanges, false, &ExchangeReport::overlapped);
    EXPECT_GT(needed, 1);
    EXPECT_EQ(results[1].allreduce_ps - results[0].allreduce_ps, needed * (7_us).ps);
}

Parameters with_flips(double flip, PacketCheck check) {
    Parameters p = SmallMachine::of(ranks);
    p.network.faults = FaultParams{.flip = flip, .check = check};
    if (check == PacketCheck::crc32) p.network.reliability = GoBackNParams{};
    return p;
}

TEST(LossyRun, RepairsEveryFlipThatACrcFinds) {
    SmallMachine machine(with_flips(0.1, PacketCheck::crc32));
    std::uint64_t flipped = 0;
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(kind.name);
        const Method method = lossy(P{});
        LossyRun run = lossy_run_of(machine, method);
        run.iterate(machine.system, gradients_at(0), {}, {}, [](double) {});
        EXPECT_EQ(run.results().front().sums_match_reference, true);
        flipped += run.results().front().faults->flipped;
    });
    EXPECT_GT(flipped, 100U);
}

TEST(LossyRun, LeavesNoSumWrongUnnoticedWhereNobodyChecksPackets) {
    SmallMachine machine(with_flips(0.2, PacketCheck::none));
    std::uint64_t runs = 0, damaged = 0, noticed = 0;
    for (std::uint64_t seed = 1; seed <= 44; ++seed)
        for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
            if (std::is_same_v<P, SignVoteParams>)
                return;   // packed votes may be refused, which ends the machine's life
            SCOPED_TRACE(kind.name);
            const Method method = lossy(P{});
            LossyRun run = lossy_run_of(machine, method);
            IterationCodes it = gradients_at(0);
            it.seed = seed;
            run.iterate(machine.system, it, {}, {}, [](double) {});
            const IterationResult& result = run.results().front();
            const bool is_damaged = result.faults->flipped > 0;
            ++runs;
            damaged += is_damaged;
            noticed += result.sums_match_reference == false;
            EXPECT_TRUE(is_damaged || result.sums_match_reference == true);
        });
    EXPECT_GE(runs, 1000U);
    EXPECT_GT(damaged, runs / 2);
    EXPECT_GT(noticed, damaged * 9 / 10);   // a bit that an OR or a maximum covers changes nothing
}

TEST(LossyRun, EndsInWordsWhereTheMeanIsNoNumber) {
    SmallMachine machine(ranks);
    IterationCodes it = gradients_at(3);
    for (auto& gradient : it.gradients) gradient[5] = std::numeric_limits<float>::max();
    LossyRun run = lossy_run_of(machine, lossy(DenseParams{}));
    try {
        run.warm_up(it);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("method dense: in iteration 3 the mean of element 5 is inf"));
    }
}

}   // namespace
}   // namespace oscar::lossy_run_test
