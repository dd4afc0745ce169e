// Collective direct with flags beside its data, words of 8 bits, and gradients that are words before.
#include <gmock/gmock.h>

#include "sim/parameters/nccl.hpp"
#include "tests/run/synthetic/machines.hpp"

namespace oscar::direct_flags_test {
namespace {

using test::SyntheticFile;
using ::testing::HasSubstr;
using Json = SyntheticFile::Json;

/// Eight GPUs of one node, ports and links of 400 GB/s.
SyntheticFile node(const std::string& more) {
    return SyntheticFile(
        "ranks: 8\nsize: 4MiB\nfidelity: message\n"
        "network: {topology: {kind: hierarchical, island: 8, island_link: {bandwidth: 3200Gbps}}}\n" +
        more);
}

const std::string ports = "gpu: {gradients: words, island_port: {bandwidth: 3200Gbps}}\n";

std::uint64_t wire_bytes(const Json& report) { return report["methods"][0]["payload_bytes"].get<std::uint64_t>(); }
std::int64_t time_of(const Json& report) { return report["methods"][0]["allreduce_ps"].get<std::int64_t>(); }

/// 1,048,576 values; each of eight ranks sends seven eighths of its words, and as much of sums.
TEST(DirectWithFlags, SendsAsMuchFlagAsDataOrAFifteenth) {
    const SyntheticFile file = node("methods: [fp8]\ncollective: direct\n" + ports);
    constexpr std::uint64_t words = 8 * 2 * 7 * (1'048'576 / 8);
    EXPECT_EQ(wire_bytes(file.report({})), words);
    EXPECT_EQ(wire_bytes(file.report({"collective.protocol=LL"})), 2 * words);
    const auto lines = (1'048'576 / 8 + 119) / 120;   // of a part, the last with less data
    EXPECT_EQ(wire_bytes(file.report({"collective.protocol=LL128"})), std::uint64_t{8 * 2 * 7} * lines * 128);
    EXPECT_EQ(wire_bytes(file.report({"methods.0=bf16"})), 2 * words);
}

TEST(DirectWithFlags, TakesAsLongForHalfTheWordsOfTwiceTheWidth) {
    const SyntheticFile file = node("methods: [fp8]\ncollective: {kind: direct, protocol: LL}\n" + ports);
    const auto fp8 = time_of(file.report({}));
    EXPECT_NEAR(static_cast<double>(time_of(file.report({"methods.0=bf16", "size=2MiB"}))), static_cast<double>(fp8),
                0.001 * static_cast<double>(fp8));
    EXPECT_GT(fp8, time_of(file.report({"collective.protocol=Simple"})));
}

TEST(GradientsThatAreWords, NeedNoKernels) {
    const SyntheticFile file = node("methods: [fp8]\ncollective: direct\n" + ports);
    EXPECT_EQ(file.report({})["methods"][0]["gpu_kernel_ps"], 0);
    EXPECT_GT(file.report({"gpu.gradients=codes"})["methods"][0]["gpu_kernel_ps"], 10'000'000);   // two launches
}

std::string refusal(const SyntheticFile& file, const std::vector<std::string>& changes) {
    try {
        file.load(changes);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

TEST(FlagsAndWords, AreRefusedForMethodsThatMakeCodes) {
    const SyntheticFile file = node("methods: [fp8]\ncollective: direct\n" + ports);
    EXPECT_THAT(
        refusal(file, {"methods.0=fixed_point", "collective.protocol=LL", "gpu.gradients=codes"}),
        HasSubstr("methods.0: collective.protocol: LL has flags between words of whole bytes, and fixed_point"));
    EXPECT_THAT(refusal(file, {"methods.0=fixed_point"}),
                HasSubstr("methods.0: gpu.gradients: words are sent as they are, and fixed_point sends others"));
    EXPECT_THAT(refusal(file, {"collective.protocol=LL64"}), HasSubstr("LL, LL128, Simple"));
}

}   // namespace
}   // namespace oscar::direct_flags_test
