// Every shipped part and machine runs; a machine of several nodes is faster than one whose GPUs have NICs alone.
#include <gmock/gmock.h>

#include "tests/system/program.hpp"

namespace oscar::machines_test {
namespace {

using test::Folder;
using test::oscar_sim;

std::vector<std::string> names_in(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& file : std::filesystem::directory_iterator("configs/" + folder))
        names.push_back(file.path().stem().string());
    std::ranges::sort(names);
    return names;
}

/// fp32's time of 1 MiB a rank on 16 ranks.
std::int64_t time_on(const std::string& base, const std::string& more = "") {
    const Folder folder;
    std::ofstream(folder / "exp.yaml") << "base: " + base + "\npayload: synthetic\nsize: 1MiB\nranks: 16\n"
                                       << "methods: [fp32, bf16, fixed_point]\n"
                                       << more;
    const auto run = oscar_sim("run " + (folder / "exp.yaml").string() + " -o " + (folder / "out").string());
    EXPECT_EQ(run.status, 0) << base << ": " << run.output;
    if (run.status != 0) return 0;
    const auto report = nlohmann::ordered_json::parse(test::text_of(folder / "out/report.json"));
    return report["methods"][0]["allreduce_ps"];
}

TEST(ShippedParts, RunEachByItself) {
    for (const std::string& name : names_in("parts")) EXPECT_GT(time_on(name), 0) << name;
}

TEST(ShippedMachines, RunFasterByTheirIslandPorts) {
    for (const std::string& name : names_in("machines"))
        EXPECT_LT(time_on(name), time_on(name, "gpu: {island_port: null}\n")) << name;
}

/// fp32's time of 100 MiB on eight DGX H100.
double time_of_collective(const std::string& collective) {
    const Folder folder;
    std::ofstream(folder / "exp.yaml") << "base: dgx-h100\npayload: synthetic\nsize: 100MiB\nranks: 64\n"
                                       << "methods: [fp32]\nfidelity: message\ncollective: " << collective << "\n";
    const auto run = oscar_sim("run " + (folder / "exp.yaml").string() + " -o " + (folder / "out").string());
    EXPECT_EQ(run.status, 0) << run.output;
    return nlohmann::ordered_json::parse(test::text_of(folder / "out/report.json"))["methods"][0]["allreduce_ps"];
}

/// A flat ring leaves a node by one NIC of eight and takes 16 times as long.
TEST(ShippedMachines, ReduceScatterAndGatherInHalfTheTimeOfTheirAllReduce) {
    const double whole = time_of_collective("hierarchical");
    for (const char* half : {"reduce_scatter", "all_gather"}) {
        EXPECT_GT(time_of_collective(half), 0.45 * whole) << half;
        EXPECT_LT(time_of_collective(half), 0.6 * whole) << half;
    }
}

/// fp32's time of 9 MiB on racks of GB200 with `island` GPUs each.
std::int64_t time_on_racks(std::uint32_t island, std::uint32_t racks, const std::string& collective) {
    const Folder folder;
    std::ofstream(folder / "exp.yaml") << "base: gb200-nvl72\npayload: synthetic\nsize: 9MiB\nmethods: [fp32]\n"
                                       << "fidelity: message\nranks: " << racks * island
                                       << "\ncollective: " << collective
                                       << "\nnetwork: {topology: {kind: hierarchical, island: " << island << "}}\n";
    const auto run = oscar_sim("run " + (folder / "exp.yaml").string() + " -o " + (folder / "out").string());
    EXPECT_EQ(run.status, 0) << collective << run.output;
    if (run.status != 0) return 0;
    return nlohmann::ordered_json::parse(test::text_of(folder / "out/report.json"))["methods"][0]["allreduce_ps"];
}

/// Two racks are joined by NICs, which are slower than the links of a rack.
TEST(ShippedMachines, OfARackRunEachCollectiveOn36And72Gpus) {
    for (const std::uint32_t island : {36u, 72u}) {
        for (const char* collective : {"reduce_scatter", "all_gather", "broadcast"})
            EXPECT_GT(time_on_racks(island, 1, collective), 0) << collective;
        for (const char* collective : {"hierarchical", "{kind: hierarchical, inside: switch}", "all_to_all"})
            EXPECT_GT(time_on_racks(island, 2, collective), time_on_racks(island, 1, collective)) << collective;
    }
}

TEST(ShippedMachines, AreNamedByTheProgram) {
    const auto list = oscar_sim("describe machine");
    for (const std::string& name : names_in("machines")) EXPECT_THAT(list.output, ::testing::HasSubstr(name));
    EXPECT_THAT(oscar_sim("describe machine dgx-h10").output, ::testing::HasSubstr("(did you mean dgx-h100?)"));
}

}   // namespace
}   // namespace oscar::machines_test
