// The link rate at which the report says that a method and fp32 take equally long.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/system/program.hpp"

namespace oscar::break_even_test {
namespace {

using test::Folder;
using test::oscar_sim;

/// bf16 halves the wire time, and two kernels of 20 us make and undo it. DMA and adders are too fast to matter, so the
/// wire and the kernels decide at every rate.
constexpr const char* experiment = R"(payload: synthetic
size: 4MiB
ranks: 4
methods: [fp32, bf16]
collective: {kind: ring, issue: dependency}
gpu: {gradients: codes, kernel_latency: 20us, dma_bandwidth: 100000Gbps}
nic: {adders: 1024, clock: 10GHz}
network:
  topology: {kind: star}
  link: {bandwidth: 100Gbps, propagation: 100ns, buffer: 1MiB}
)";

/// The methods of the report at such a link rate.
nlohmann::ordered_json methods_at(double gbps, const std::string& options = "") {
    const Folder folder;
    std::ofstream(folder / "e.yaml") << experiment;
    const auto run =
        oscar_sim("run " + (folder / "e.yaml").string() + " -o " + folder.text() +
                  " --set network.link.bandwidth=" + std::to_string(std::lround(gbps * 1000)) + "Mbps" + options);
    EXPECT_EQ(run.status, 0) << run.output;
    return test::report_in(folder.text())["methods"];
}

TEST(BreakEven, SeparatesTheLinkRatesAtWhichAMethodIsFasterAndSlower) {
    const auto bf16 = methods_at(100)[1];
    EXPECT_EQ(bf16["faster_than_fp32"], "below");
    EXPECT_EQ(bf16["break_even_limiter"], "latency");   // launches of kernels
    EXPECT_EQ(bf16["bottleneck"], "link");
    const double gbps = bf16["break_even_bandwidth_gbps"];
    // Saved: half of 2 * 3/4 * 4 MiB, with 82 bytes of header to each 4096, are 25.67 Mbit. Added: two launches of 20
    // us, and twice 6 bytes of each value at 0.85 of 26.8 Tbit/s, are 44.42 us.
    EXPECT_NEAR(gbps, 25.67e3 / 44.42, 0.5);
    EXPECT_GT(methods_at(0.99 * gbps)[1]["speedup"]["fp32"], 1.0);
    EXPECT_LT(methods_at(1.01 * gbps)[1]["speedup"]["fp32"], 1.0);
}

TEST(BreakEven, IsThatOfTheSlowestLink) {
    const double gbps = methods_at(100)[1]["break_even_bandwidth_gbps"];
    const auto slower = methods_at(200, " --set 'network.overrides=[{link: \"rank1->switch0\", bandwidth: 100Gbps}]'");
    EXPECT_NEAR(slower[1]["break_even_bandwidth_gbps"].get<double>() / gbps, 1, 0.03);
}

TEST(BreakEven, IsNotKnownWithoutFp32) {
    const auto methods = methods_at(100, " --set 'methods=[bf16, fixed_point]'");
    for (const auto& method : methods) {
        EXPECT_TRUE(method["break_even_bandwidth_gbps"].is_null());
        EXPECT_EQ(method["faster_than_fp32"], "not compared");
    }
}

TEST(BreakEven, HasTheFirstMethodThatSendsFp32AsItsBaseline) {
    const auto methods = methods_at(100, " --set 'methods=[bf16, {kind: fp32, name: plain}]'");
    EXPECT_EQ(methods[0]["faster_than_fp32"], "below");
    EXPECT_EQ(methods[1]["faster_than_fp32"], "same");
}

}   // namespace
}   // namespace oscar::break_even_test
