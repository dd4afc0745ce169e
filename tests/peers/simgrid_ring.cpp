// Ring AllReduce in SimGrid: an actor per rank, one flow per chunk, shared links without contention in this pattern.
#include <simgrid/s4u.hpp>

#include "work.hpp"

namespace {

namespace s4u = simgrid::s4u;

void rank(const peers::Work& work, std::uint32_t self) {
    s4u::Mailbox* right = s4u::Mailbox::by_name(std::to_string((self + 1) % work.ranks));
    s4u::Mailbox* own = s4u::Mailbox::by_name(std::to_string(self));
    static int token;
    for (std::uint32_t step = 0; step < work.steps(); ++step) {
        const std::uint64_t packets = (work.chunk() + work.packet - 1) / work.packet;
        const s4u::CommPtr sent = right->put_async(&token, work.chunk() + packets * work.header);
        own->get<int>();
        sent->wait();
    }
}

}   // namespace

int main(int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    s4u::Engine::set_config("network/model:CM02");    // links at their full rate, latency as given
    s4u::Engine::set_config("network/TCP-gamma:0");   // no TCP window
    s4u::Engine::set_config("network/crosstraffic:false");
    const peers::Work work = peers::work_of(argc, argv);
    auto* zone = s4u::create_full_zone("all");
    std::vector<s4u::Link*> up, down;
    for (std::uint32_t r = 0; r < work.ranks; ++r) {
        zone->create_host(std::to_string(r), 1e9)->seal();
        const auto link = [&](const std::string& name) {
            return zone->create_link(name + std::to_string(r), work.gbps * 1e9 / 8)
                ->set_latency(1e-9 * static_cast<double>(work.propagation_ns))
                ->seal();
        };
        up.push_back(link("up"));
        down.push_back(link("down"));
    }
    for (std::uint32_t r = 0; r < work.ranks; ++r) {
        const std::uint32_t to = (r + 1) % work.ranks;
        zone->add_route(s4u::Host::by_name(std::to_string(r))->get_netpoint(),
                        s4u::Host::by_name(std::to_string(to))->get_netpoint(), nullptr, nullptr,
                        {s4u::LinkInRoute(up[r]), s4u::LinkInRoute(down[to])}, false);
    }
    zone->seal();
    for (std::uint32_t r = 0; r < work.ranks; ++r)
        s4u::Actor::create("rank", s4u::Host::by_name(std::to_string(r)), [&work, r] { rank(work, r); });
    engine.run();
    peers::report(1e6 * s4u::Engine::get_clock());
}
