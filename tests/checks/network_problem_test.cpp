#include "sim/checks/network_problem.hpp"

#include <gmock/gmock.h>

#include "models/network/transport/make_network.hpp"
#include "models/network/transport/pfc.hpp"

namespace oscar::network_problem_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr LinkParams link;

std::string words_of(const NetworkParams& network, const LinkParams& cable, TimingFidelity fidelity) {
    const auto found = find_problem(network, {&cable, 1}, fidelity);
    if (!found) return "";
    const ConfigProblem problem = config_problem(*found, network);
    return problem.key + ": " + problem.text;
}

std::string problem(const NetworkParams& network, TimingFidelity fidelity = TimingFidelity::packet) {
    return words_of(network, link, fidelity);
}

NetworkParams reliable(const Reliability& reliability) {
    NetworkParams network;
    network.reliability = reliability;
    return network;
}

TEST(NetworkProblems, NameTheKeyAndWhatToWrite) {
    NetworkParams lossy;
    lossy.loss.rate = 0.1;
    EXPECT_THAT(problem(lossy), HasSubstr("loss: nothing repairs it; write network.reliability"));
    lossy.reliability = GoBackNParams{};
    EXPECT_EQ(problem(lossy), "");
    EXPECT_THAT(problem(lossy, TimingFidelity::flit), HasSubstr("reliability: fidelity flit knows credits only"));
    EXPECT_EQ(problem(lossy, TimingFidelity::message), "");

    NetworkParams marks;
    DcqcnParams dcqcn;
    dcqcn.mark_from = dcqcn.mark_all_from + 1_B;
    marks.congestion = dcqcn;
    EXPECT_THAT(problem(marks), HasSubstr("congestion: mark_from is above mark_all_from"));

    NetworkParams pauses;
    pauses.flow_control = PfcParams{1000_B, 1001_B, 0_ps};
    EXPECT_THAT(problem(pauses), HasSubstr("flow_control: xon of 1001B is above xoff"));

    LinkRetryParams retry;
    retry.replay_buffer = 4177_B;   // a packet is 4096 + 82 B
    EXPECT_THAT(problem(reliable(retry)), HasSubstr("write replay_buffer: 4178B"));
    retry.replay_buffer = 4178_B;
    EXPECT_EQ(problem(reliable(retry)), "");
}

TEST(NetworkProblems, OfABufferAreThoseOfEachVirtualChannelsShare) {
    NetworkParams pauses;
    const Bytes largest = pauses.packet + pauses.header;
    pauses.flow_control = PfcParams{};
    pauses.virtual_channels = 4;
    LinkParams cable = link;
    const std::uint64_t least = headroom(link, PfcParams{}, pauses.flit, largest).count + 1;   // Xoff at one byte
    cable.buffer = {4 * least};
    EXPECT_EQ(words_of(pauses, cable, TimingFidelity::packet), "");
    cable.buffer = {4 * least - 1};
    EXPECT_THAT(words_of(pauses, cable, TimingFidelity::packet), HasSubstr("of each of 4 virtual channels"));
}

TEST(NetworkProblems, AreBuffersWhoseChannelsHoldNoWholePacket) {
    NetworkParams network;   // 4096 + 82 B
    LinkParams cable = link;
    const auto said = [&] { return words_of(network, cable, TimingFidelity::packet); };
    for_each_kind(flow_controls, [&]<class P>(const Kind<P>& kind) {
        network = {};
        network.flow_control = P{};
        if constexpr (std::same_as<P, PfcParams>) network.flow_control = PfcParams{1000_B, 500_B, 0_ps};
        cable.buffer = 4178_B;
        EXPECT_EQ(said(), "") << kind.name;
        cable.buffer = 4177_B;
        EXPECT_EQ(said(),
                  "link.buffer: a buffer of 4177B holds no packet of 4096B with its header of 82B; write buffer: 4178B "
                  "or more, network.packet: 4095B or less")
            << kind.name;
    });
    network = {};
    network.virtual_channels = 4;
    cable.buffer = 9_KiB;   // 2304 B of each; two packets are 8356 B
    EXPECT_EQ(said(),
              "link.buffer: each of 4 virtual channels has 2304B of a buffer of 9216B, which hold no packet of 4096B "
              "with its header of 82B; write buffer: 16712B or more, network.virtual_channels: 2 or fewer, "
              "network.packet: 2222B or less");
    network.virtual_channels = 2;
    EXPECT_EQ(said(), "");
    network.switches.aggregator.link_share = 0.8;   // 4178 B take the time of 5222.5
    EXPECT_EQ(said(),
              "link.buffer: each of 2 virtual channels has 4608B of a buffer of 9216B, which hold no packet of 4096B "
              "with its header of 82B, with the protocol of adding switches 5223B; write buffer: 10446B or more, "
              "network.virtual_channels: 1 or fewer, network.packet: 3604B or less");   // 4608 B x 0.8 - 82 B
    network.switches.aggregator.link_share = 1;
    network.virtual_channels = 4;
    network.packet = 2222_B;
    EXPECT_EQ(said(), "");
    network.packet = 4_KiB;
    cable.buffer = 16'712_B;
    EXPECT_EQ(said(), "");
}

TEST(NetworkProblems, AreDropsThatNoLinkRepairs) {
    NetworkParams network = reliable(LinkRetryParams{});
    network.flow_control = LossyParams{};
    EXPECT_THAT(problem(network), HasSubstr("reliability: link_retry repairs what a link damaged, not what a full "
                                            "buffer drops; write reliability: go_back_n or selective"));
    network.reliability = SelectiveParams{};
    EXPECT_EQ(problem(network), "");
}

TEST(NetworkProblems, AreAnswersAndRatesOfSprayedFlows) {
    const auto sprayed = [](const Reliability& reliability, const CongestionControl& congestion) {
        NetworkParams network = reliable(reliability);
        network.congestion = congestion;
        network.routing = SprayParams{};
        return problem(network);
    };
    for_each_kind(reliabilities, [&]<class P>(const Kind<P>& kind) {
        const bool answered = std::derived_from<P, RetransmissionParams>;
        EXPECT_EQ(sprayed(P{}, UncontrolledParams{}).starts_with("routing: the packets of a sprayed flow"), answered)
            << kind.name;
    });
    EXPECT_THAT(sprayed(UnreliableParams{}, DcqcnParams{}), HasSubstr("write routing: shortest"));
}

}   // namespace
}   // namespace oscar::network_problem_test
