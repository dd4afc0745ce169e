// The slices that a tuned tree has, against the most that a schedule can have.
#include <gtest/gtest.h>

#include <fstream>

#include "models/collective/schedule/params.hpp"
#include "models/predict/nccl_tuner.hpp"
#include "tests/system/program.hpp"

namespace oscar::tree_slices_test {
namespace {

/// AllReduce of 64 MiB on trees over nodes of four, links of 196 Gbit/s, 25 us each between nodes: hops of Simple.
double tree_time(std::uint32_t ranks, std::uint64_t slices) {
    const test::Folder folder;
    std::ofstream(folder / "tree.yaml")
        << "payload: synthetic\nsize: 64MiB\nmethods: [fp32]\nranks: " << ranks
        << "\ncollective: {kind: double_binary_tree, island: 4, issue: dependency, slices: " << slices
        << "}\ngpu: {dma_latency: 0ps, dma_bandwidth: 100000Gbps}\nnic: {latency: 0ps, adders: 64, clock: 10GHz}\n"
           "network:\n"
           "  topology: {kind: hierarchical, island: 4, rails: false, island_link: {bandwidth: 196Gbps, propagation: "
           "1700ns}}\n"
           "  link: {bandwidth: 196Gbps, propagation: 25us, buffer: 4MiB}\n"
           "  switch: {latency: 0ps}\n  packet: 64KiB\n  header: 0B\n";
    const auto run = test::oscar_sim("run " + (folder / "tree.yaml").string() + " -o " + folder.text());
    EXPECT_EQ(run.status, 0) << run.output;
    const auto report = test::report_in(folder.text());
    return report["methods"][0]["allreduce_ps"].get<double>();
}

/// 1.7, 2.9, 4.2 and 1.7 % more; 32 slices, whatever the tree: 3.1, 7.3, 10.8 and 13.3 %.
TEST(TreeSlices, OfATunerTakeAtMost5PercentMoreThanTheMostSlices) {
    NcclParams tuner;
    tuner.ranks_per_node = 4;
    for (const std::uint32_t ranks : {8u, 32u, 128u, 256u}) {
        const std::uint64_t chosen = tree_chunks(tuner, ranks, NcclProtocol::simple, 64_MiB);
        ASSERT_LE(chosen, most_slices);
        EXPECT_LT(tree_time(ranks, chosen) / tree_time(ranks, most_slices), 1.05) << ranks << " ranks";
    }
}

}   // namespace
}   // namespace oscar::tree_slices_test
