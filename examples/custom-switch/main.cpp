// A ring AllReduce of 256 KiB on four ranks: through our switch, which cuts through, and through one's own.
#include <cstdio>

#include "models/codec/kinds/codecs.hpp"
#include "models/collective/algorithms/collectives.hpp"
#include "models/collective/endpoint/synthetic_message_source.hpp"
#include "models/machine/machine.hpp"
#include "store_and_forward.hpp"

int sc_main(int, char**) {
    using namespace oscar;
    constexpr std::uint32_t ranks = 4, values = 65'536;
    const Plan plan(make_schedule(RingParams{}, ranks), ElementType::float32, 32);
    const auto codec = make_codec(Fp32Params{}, Framing{});
    const ChunkLayout layout = make_layout(EqualParams{}, values, {ranks, 1}, {});
    const Topology star = make_topology(StarParams{}, ranks, LinkParams{});

    MachineParts parts;
    parts.make_switch = [](const std::string& name, const LinkedModuleParams& params, PacketOwner& owner) {
        return std::make_unique<StoreAndForward>(name.c_str(), params, owner);
    };
    const Nodes nodes(ranks);
    Machine ours("ours", star, nodes, NetworkParams{}, TimingFidelity::flit);
    Machine own("own", star, nodes, NetworkParams{}, TimingFidelity::flit, parts);
    for (Machine* machine : {&ours, &own}) {
        SyntheticMessageSource messages(plan, *codec, layout);
        const Time time = machine->run({plan, messages, Issue::lock_step, {}}).duration();
        std::printf("%s: %.3f us\n", machine->name(), static_cast<double>(time.ps) / 1e6);
    }
    return 0;
}
