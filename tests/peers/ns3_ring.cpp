// Ring AllReduce in ns-3: bare point-to-point devices and a switch that stores and forwards, no protocol above them.
#include <ns3/core-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

#include <vector>

#include "work.hpp"

namespace {

using namespace ns3;

/// Each rank sends a chunk to its right neighbour as soon as the one from its left has come.
class Ring {
public:
    explicit Ring(const peers::Work& work) : work_(work), received_(work.ranks), sent_steps_(work.ranks) {
        NodeContainer hub(1), ranks(work.ranks);
        PointToPointHelper cable;
        cable.SetDeviceAttribute("DataRate", DataRateValue(DataRate(static_cast<std::uint64_t>(work.gbps * 1e9))));
        cable.SetDeviceAttribute("Mtu", UintegerValue(65000));
        cable.SetChannelAttribute("Delay", TimeValue(NanoSeconds(work.propagation_ns)));
        cable.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("100000000p"));
        for (std::uint32_t r = 0; r < work.ranks; ++r) {
            const NetDeviceContainer ends = cable.Install(ranks.Get(r), hub.Get(0));
            at_rank_.push_back(ends.Get(0));
            at_hub_.push_back(ends.Get(1));
            ends.Get(0)->SetReceiveCallback(MakeCallback(&Ring::receive, this).Bind(r));
            ends.Get(1)->SetReceiveCallback(MakeCallback(&Ring::forward, this).Bind(r));
        }
    }

    double run() {
        for (std::uint32_t r = 0; r < work_.ranks; ++r) send(r);
        Simulator::Run();
        return static_cast<double>(end_.GetNanoSeconds()) / 1e3;
    }

private:
    void send(std::uint32_t rank) {
        if (sent_steps_[rank]++ == work_.steps()) {
            end_ = Simulator::Now();
            return;
        }
        for (std::uint64_t left = work_.chunk(); left > 0;) {
            const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, work_.packet));
            // A point-to-point header has 2 bytes.
            at_rank_[rank]->Send(Create<Packet>(size + work_.header - 2), at_rank_[rank]->GetBroadcast(), 0x800);
            left -= size;
        }
    }

    bool forward(std::uint32_t from, Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&) {
        Ptr<NetDevice> out = at_hub_[(from + 1) % work_.ranks];
        out->Send(packet->Copy(), out->GetBroadcast(), 0x800);
        return true;
    }

    bool receive(std::uint32_t rank, Ptr<NetDevice>, Ptr<const Packet> packet, std::uint16_t, const Address&) {
        received_[rank] += packet->GetSize() + 2 - work_.header;
        if (received_[rank] < work_.chunk()) return true;
        received_[rank] -= work_.chunk();
        send(rank);
        return true;
    }

    peers::Work work_;
    std::vector<Ptr<NetDevice>> at_rank_, at_hub_;
    std::vector<std::uint64_t> received_;
    std::vector<std::uint32_t> sent_steps_;
    Time end_;
};

}   // namespace

int main(int argc, char** argv) {
    Ring ring(peers::work_of(argc, argv));
    peers::report(ring.run());
    Simulator::Destroy();
}
