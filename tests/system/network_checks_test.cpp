// What the program says of a network before it runs: what cannot work, what limits the rate, what needs too much
// memory.
#include <gmock/gmock.h>

#include "tests/core/address_sanitizer.hpp"
#include "tests/system/program.hpp"

namespace oscar::network_checks_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// An experiment without values, written to a file; its network is on line 6.
struct File {
    explicit File(const std::string& network, const std::string& more = "", const std::string& ranks = "4")
        : path(folder / "net.yaml") {
        std::ofstream(path) << "payload: synthetic\nsize: 256KiB\nranks: " << ranks << "\nmethods: [fp32]\n"
                            << more << "\nnetwork: " << network << "\n";
    }
    test::Finished run(const std::string& settings = "") const {
        return oscar_sim("run " + path.string() + " " + settings + " -o " + (folder / "out").string());
    }
    nlohmann::ordered_json report(const std::string& settings = "") const {
        const auto finished = run(settings);
        EXPECT_EQ(finished.status, 0) << finished.output;
        return test::report_in(folder / "out");
    }
    std::int64_t time(const std::string& settings = "") const { return report(settings)["methods"][0]["allreduce_ps"]; }
    Folder folder;
    std::filesystem::path path;
};

/// A ring of six switches with a rank each and no dateline.
std::string switch_ring() {
    std::string edges;
    for (int i = 0; i < 6; ++i) {
        const std::string here = "switch" + std::to_string(i);
        edges += "{from: rank" + std::to_string(i) + ", to: " + here + "}, {from: " + here + ", to: switch" +
                 std::to_string((i + 1) % 6) + "}, ";
    }
    return "{kind: graph, switches: 6, edges: [" + edges + "]}";
}

TEST(WaitCycles, AreNoneWhereSendersDoNotWaitForRoom) {
    const File file("{topology: " + switch_ring() + ", virtual_channels: 2}", "collective: direct", "6");
    const auto credit = file.run();
    EXPECT_EQ(credit.status, 2);
    EXPECT_THAT(credit.output, HasSubstr("packets can wait for each other in a circle of links"));
    EXPECT_EQ(file.run("--set network.flow_control=pfc").status, 2);
    const auto lossy = file.run("--set network.flow_control=lossy --set network.reliability=go_back_n");
    EXPECT_EQ(lossy.status, 0) << lossy.output;
}

TEST(AGraph, MayBeATorusOfThreeDimensionsWithDatelinesAndTwoClasses) {
    std::string edges;
    for (int i = 0; i < 27; ++i) {
        const std::string here = "switch" + std::to_string(i);
        edges += "{from: rank" + std::to_string(i) + ", to: " + here + "}, ";
        for (const int stride : {1, 3, 9}) {
            const int at = i / stride % 3, next = i - at * stride + (at + 1) % 3 * stride;
            edges +=
                "{from: " + here + ", to: switch" + std::to_string(next) + (at == 2 ? ", dateline: true}, " : "}, ");
        }
    }
    const File file("{topology: {kind: graph, switches: 27, edges: [" + edges + "]}, virtual_channels: 2}", "", "27");
    for (const std::string collective : {"ring", "direct", "all_to_all"})
        EXPECT_EQ(file.run("--set collective=" + collective).status, 0) << collective;
}

TEST(ABuffer, ThatHoldsNoWholePacketIsRefusedWhereItStands) {
    const File file("{link: {buffer: 9KiB}, virtual_channels: 4, packet: 4KiB}");
    const auto shares = file.run();
    EXPECT_EQ(shares.status, 2);
    EXPECT_THAT(
        shares.output,
        HasSubstr("net.yaml:6:26: network.link.buffer: rank0->switch0: each of 4 virtual channels has 2304B of a "
                  "buffer of 9216B, which hold no packet of 4096B with its header of 82B; write buffer: 16712B "
                  "or more, network.virtual_channels: 2 or fewer, network.packet: 2222B or less"));
    EXPECT_EQ(std::count(shares.output.begin(), shares.output.end(), '\n'), 1);
    for (const std::string remedy :
         {"network.link.buffer=16712B", "network.virtual_channels=2", "network.packet=2222B"})
        EXPECT_EQ(file.run("--set " + remedy).status, 0) << remedy;
    const File one("{overrides: [{link: 'switch0->rank2', buffer: 4177B}]}");
    EXPECT_THAT(one.run().output, HasSubstr("switch0->rank2: a buffer of 4177B holds no packet of 4096B"));
}

TEST(LinkRetry, IsRefusedWhereDropsAreWhatIsToBeRepaired) {
    const auto run = File("{flow_control: lossy, reliability: link_retry}").run();
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output, HasSubstr("net.yaml:6:45: network.reliability: link_retry repairs what a link damaged"));
}

TEST(Credits, ThatLimitTheRateAreNotedWithTheBufferThatHelpsAndOneOfAPacketLessDoesNot) {
    // A packet of 4096 B takes 32,768 ps at 1 Tbit/s, its first flit 512 ps. The first link's credits are back after
    // 512 + 5,000,000 + 300,000 + 32,768 + 5,000,000 ps, those of the second after 32,768 + 2 * 5,000,000 + 100,000:
    // ceil(10,333,280 / 32,768) = 316 packets.
    const File file("{}");
    std::ofstream(file.path) << "payload: synthetic\nranks: 4\nmethods: [fp32]\n"
                                "collective: {kind: flows, flows: [{from: 0, to: 1, bytes: 8MiB}]}\n"
                                "gpu: {dma_bandwidth: 10000Gbps}\nnic: {latency: 100ns}\nnetwork: {link: {bandwidth: "
                                "1000Gbps, propagation: 5us, buffer: 256KiB}, header: 0B}\n";
    const auto limited = file.report();
    const std::string note = limited["notes"].back();
    // 64 packets of 4096 B in 10,333,280 ps are 202.95 Gbit/s; at full rate it is 1000.
    EXPECT_EQ(note,
              "credits limit the rate of 2 links, most of all rank0->switch0: its buffer of 256KiB is less than rate x "
              "round trip and lets 203 of 1000 Gbit/s through; it needs 1264KiB");
    const auto with = [&](int packets) { return "--set network.link.buffer=" + std::to_string(packets * 4096) + "B"; };
    EXPECT_THAT(file.report(with(316))["notes"].dump(), Not(HasSubstr("credits limit")));
    EXPECT_THAT(file.report(with(315))["notes"].dump(), HasSubstr("credits limit"));
    const std::int64_t enough = file.time(with(316));
    EXPECT_EQ(file.time(with(1000)), enough);
    // Of 2048 packets, six times 315 wait for the first one's credit: 10,333,280 - 315 * 32,768 ps each time.
    EXPECT_EQ(file.time(with(315)), enough + 6 * (10'333'280 - 315 * 32'768));
}

TEST(AScaleExchange, IsInTheBytesOfTheWireAndInTheCountsOfTransport) {
    const File file("{reliability: go_back_n}", "quantiser: {kind: max, agreement: exact}");
    const auto with = file.report("--set methods=[fixed_point]"),
               without = file.report("--set methods=[fixed_point] --set quantiser.agreement=delayed");
    const auto &a = with["methods"][0], &b = without["methods"][0];
    EXPECT_GT(a["scale_exchange_ps"], 0);
    // Three timesteps of four packets of 4 + 82 B, each with an answer of 82 B; each crosses two links.
    const auto more = [&](const char* key) {
        return a["transport"][key].get<std::int64_t>() - b["transport"][key].get<std::int64_t>();
    };
    EXPECT_EQ(a["wire_bytes"].get<std::int64_t>() - b["wire_bytes"].get<std::int64_t>(), 12 * (86 + 82));
    EXPECT_EQ(more("answers"), 12);
    EXPECT_EQ(more("sent_packets"), 2 * 24);
    EXPECT_EQ(more("delivered_packets"), 2 * 24);
}

TEST(Background, BeyondWhatALinkCarriesIsNoted) {
    const File file("{link: {bandwidth: 100Gbps}, background: {load: 0.9, pattern: incast}}", "", "8");
    const auto overloaded = file.report();
    EXPECT_THAT(overloaded["notes"].dump(),
                HasSubstr("background traffic overloads switch0->rank0: it is offered 630 Gbit/s and carries 100;"));
    EXPECT_THAT(overloaded["notes"].dump(), HasSubstr("lower network.background.load to 0.143"));
    for (const std::string fits : {"network.background.load=0.142", "network.background.pattern=uniform"})
        EXPECT_THAT(file.report("--set " + fits)["notes"].dump(), Not(HasSubstr("overloads"))) << fits;
}

/// The program where its address space has so many GB.
test::Finished in_gigabytes(int gigabytes, const std::string& arguments) {
    const std::string limit = "ulimit -v " + std::to_string(gigabytes * 1'000'000) + "; ";
    FILE* pipe = popen((limit + OSCAR_SIM " " + arguments + " 2>&1").c_str(), "r");
    test::Finished finished;
    std::array<char, 4096> part;
    while (const std::size_t n = fread(part.data(), 1, part.size(), pipe)) finished.output.append(part.data(), n);
    finished.status = WEXITSTATUS(pclose(pipe));
    return finished;
}

TEST(Memory, ThatARunWouldNeedAndThereIsNotIsOneSentenceBeforeTheRun) {
    if (test::address_sanitizer) GTEST_SKIP() << "the sanitizer has memory of its own";
    const File tiny("{background: {load: 0.999, message: 1B}}", "nic: {latency: 1ms}");
    const std::string run = "run " + tiny.path.string() + " -o " + (tiny.folder / "out").string();
    const auto background = in_gigabytes(4, run + " --set size=4B");
    EXPECT_EQ(background.status, 2);
    EXPECT_THAT(background.output, AllOf(HasSubstr("net.yaml:6:23: network.background: the run needs about "),
                                         // four fifths of 4.1 GB, less what the program takes itself
                                         HasSubstr(" GB of memory, of which 3.2 GB are free, most of it ("),
                                         HasSubstr("choose larger messages, a lower load or fewer nodes")));
    EXPECT_EQ(std::count(background.output.begin(), background.output.end(), '\n'), 1) << background.output;
    const auto steps =
        in_gigabytes(4, run + " --set ranks=4096 --set collective=direct --set network.background.load=0");
    EXPECT_EQ(steps.status, 2);
    EXPECT_THAT(steps.output, HasSubstr("collective: the run needs about "));
    EXPECT_THAT(steps.output, HasSubstr("33546240 steps"));   // 2 * 4095 * 4096
    EXPECT_EQ(in_gigabytes(4, run + " --set network.background.load=0").status, 0);
}

}   // namespace
}   // namespace oscar::network_checks_test
