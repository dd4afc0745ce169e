// A ring AllReduce of 64 Ki 8-bit codes on four ranks, uncoded: through our engine, through one's own that answers at
// once, and through one's own that answers later and stalls.
#include <cstdio>
#include <cstdlib>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/live_message_source.hpp"
#include "models/machine/machine.hpp"
#include "serial_engine.hpp"
#include "stalling_engine.hpp"

namespace {

constexpr std::uint32_t ranks = 4, values = 65'536;

oscar::MachineParts serial() {
    oscar::MachineParts parts;
    parts.make_engine = [](const std::string& name, const oscar::EngineParams& engine) {
        return std::make_unique<SerialEngine>(name.c_str(), engine.clock, 1);
    };
    return parts;
}

oscar::MachineParts stalling(std::uint32_t stall_percent) {
    oscar::MachineParts parts;
    parts.make_engine = [stall_percent](const std::string& name, const oscar::EngineParams& engine) {
        return std::make_unique<StallingEngine>(name.c_str(), engine, stall_percent);
    };
    return parts;
}

}   // namespace

int sc_main(int, char**) {
    using namespace oscar;
    const Plan plan(make_schedule(RingParams{}, ranks), ElementType::integer, 8);
    const auto codec = make_codec(FixedPointParams{}, EngineParams{}.framing());
    const ChunkLayout layout = make_layout(EqualParams{}, values, {ranks, 1}, {});
    const Topology star = make_topology(StarParams{}, ranks, LinkParams{});
    const Nodes nodes(ranks);
    Machine ours("ours", star, nodes, NetworkParams{}, TimingFidelity::flit);
    Machine own("own", star, nodes, NetworkParams{}, TimingFidelity::flit, serial());
    Machine ready("ready", star, nodes, NetworkParams{}, TimingFidelity::flit, stalling(0));
    Machine stalls("stalls", star, nodes, NetworkParams{}, TimingFidelity::flit, stalling(90));
    for (Machine* machine : {&ours, &own, &ready, &stalls}) {
        std::vector<RankState> rank_states;
        std::vector<std::vector<Symbol>> codes;
        for (std::uint32_t r = 0; r < ranks; ++r) {
            std::vector<Symbol>& own_codes = codes.emplace_back();
            for (std::uint32_t i = 0; i < values; ++i)
                own_codes.push_back(static_cast<Symbol>((i * 7 + r) % 255) - 127);
            rank_states.emplace_back(plan, *codec).begin(own_codes, layout, 0);
        }
        LiveMessageSource messages(plan, rank_states, *codec);
        const Time time = machine->run({plan, messages, Issue::lock_step, {}}).duration();
        for (const RankState& rank : rank_states)
            if (const auto sum = rank.values().all(); !std::ranges::equal(sum, exact_sum(codes))) return EXIT_FAILURE;
        std::printf("%s: %.3f us\n", machine->name(), static_cast<double>(time.ps) / 1e6);
    }
    return EXIT_SUCCESS;
}
