// `oscar-sim trace generate`, as a user runs it.
#include <gmock/gmock.h>

#include <sys/resource.h>

#include <cstdlib>

#include "sim/trace/trace.hpp"
#include "tests/system/program.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::generate_program_test {
namespace {

using test::oscar_sim;
using test::text_of;
using ::testing::HasSubstr;
using testing::TemporaryFolder;

const std::string shipped = "traces/lenet-fmnist";

test::Finished generate(const TemporaryFolder& folder, const std::string& name, const std::string& options) {
    return oscar_sim("trace generate " + (folder.path() / name).string() + " " + options);
}

TEST(GenerateProgram, GivesTheSameBytesForTheSameSeedOnly) {
    const TemporaryFolder folder;
    const std::string options = "--elements 5000 --ranks 3 --iterations 2 --seed ";
    ASSERT_EQ(generate(folder, "a", options + "1").status, 0);
    ASSERT_EQ(generate(folder, "sub/a", options + "1").status, 0);
    ASSERT_EQ(generate(folder, "c", options + "2").status, 0);
    for (const char* file : {"iteration-00000.npy", "iteration-00001.npy", "trace.yaml"})
        EXPECT_EQ(text_of(folder.path() / "a" / file), text_of(folder.path() / "sub/a" / file)) << file;
    EXPECT_NE(text_of(folder.path() / "a/iteration-00000.npy"), text_of(folder.path() / "c/iteration-00000.npy"));
    EXPECT_EQ(oscar_sim("trace verify " + (folder.path() / "a").string()).status, 0);
}

TEST(GenerateProgram, KeepsTheLayersOfATraceAndSaysThatItIsGenerated) {
    const TemporaryFolder folder;
    const auto run = generate(folder, "g", "--like " + shipped + " --stage early --ranks 12 --seed 5");
    ASSERT_EQ(run.status, 0) << run.output;
    const Trace captured = Trace::open(shipped), generated = Trace::open(folder.path() / "g");
    const TraceManifest& manifest = generated.manifest();
    EXPECT_EQ(generated.elements(), captured.elements());
    EXPECT_EQ(generated.iterations(), 4U);
    EXPECT_EQ(generated.ranks(), 12U);
    for (std::size_t l = 0; l < 10; ++l) EXPECT_EQ(manifest.layers[l].shape, captured.manifest().layers[l].shape);
    ASSERT_TRUE(manifest.generator);
    EXPECT_EQ(manifest.generator->seed, 5U);
    EXPECT_EQ(manifest.generator->layers.size(), 10U);
    EXPECT_EQ(manifest.generator->layers[4].magnitudes.size(), magnitude_shares.size());
    ::setenv("COLUMNS", "200", 1);
    const auto info = oscar_sim("trace info " + (folder.path() / "g").string());
    EXPECT_THAT(info.output, HasSubstr("generated   not captured: seed 5, fitted to lenet-fmnist (hash "));
    EXPECT_THAT(info.output, HasSubstr(", early; parameters in trace.yaml"));
}

TEST(GenerateProgram, ScalesLayersToAboutTheWantedElements) {
    const TemporaryFolder folder;
    for (const std::uint64_t elements : {20000U, 323260U, 1000000U}) {
        const std::string name = std::to_string(elements);
        const auto run = generate(folder, name, "--like " + shipped + " --iterations 1 --ranks 2 --elements " + name);
        ASSERT_EQ(run.status, 0) << run.output;
        EXPECT_NEAR(static_cast<double>(Trace::open(folder.path() / name).elements()) / static_cast<double>(elements),
                    1, 0.02);
    }
}

TEST(GenerateProgram, SetsParametersOfTheLayersNamed) {
    const TemporaryFolder folder;
    ASSERT_EQ(generate(folder, "g", "--iterations 1 --set churn=0.5 --set 'hidden.*:silent_elements=1'").status, 0);
    const Trace trace = Trace::open(folder.path() / "g");
    for (const LayerParams& layer : trace.manifest().generator->layers) EXPECT_EQ(layer.churn, 0.5);
    const IterationView view = trace.iteration(0);
    const auto& offsets = trace.layer_offsets();
    for (std::uint64_t i = 0; i < trace.elements(); i += 97)
        EXPECT_EQ(view.gradient(Rank{0})[i] == 0, i >= offsets[1] && i < offsets[3]) << i;
}

TEST(GenerateProgram, StoresFp16WithinItsPrecision) {
    const TemporaryFolder folder;
    const std::string options = "--elements 3000 --ranks 2 --iterations 1";
    ASSERT_EQ(generate(folder, "f4", options).status, 0);
    ASSERT_EQ(generate(folder, "f2", options + " --dtype f2").status, 0);
    const IterationView wide = Trace::open(folder.path() / "f4").iteration(0),
                        half = Trace::open(folder.path() / "f2").iteration(0);
    for (std::size_t i = 0; i < wide.elements(); ++i) {   // 11 significant bits above 2^-28 of the largest
        const float value = wide.gradient(Rank{1})[i];
        EXPECT_NEAR(half.gradient(Rank{1})[i], value, std::fabs(value) * 0x1p-11F + 1e-10F);
    }
}

TEST(GenerateProgram, SaysHowToWriteItsOptions) {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& options) {
        const auto run = generate(folder, "out", options);
        EXPECT_EQ(run.status, 2) << options;
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "out"));
        return run.output;
    };
    EXPECT_THAT(error("--set chrun=0.1"), HasSubstr("no such parameter (did you mean churn?); known: churn"));
    EXPECT_THAT(error("--set churn=2"), HasSubstr("churn"));
    EXPECT_THAT(error("--set fc9:churn=0.1"), HasSubstr("no layer is called fc9; write it like 'fc*:churn=0.1'"));
    EXPECT_THAT(error("--set 'magnitudes=[1, 2]'"), HasSubstr("write 27 quantiles or []"));
    EXPECT_THAT(error("--stage late"), HasSubstr("name one with --like"));
    EXPECT_THAT(error("--like " + shipped + " --stage lat"), HasSubstr("did you mean late?"));
    EXPECT_THAT(error("--like no/such"), HasSubstr("no/such"));
    EXPECT_EQ(error("--elements 0"),
              "oscar-sim: --elements: '0' is no whole number from 1 to 2^40; see oscar-sim trace generate --help\n");
    EXPECT_THAT(error("--elements -5"), HasSubstr("--elements: '-5' is no whole number from 1 to 2^40"));
    EXPECT_THAT(error("--elements 1099511627777"), HasSubstr("'1099511627777' is no whole number from 1 to 2^40"));
    EXPECT_THAT(error("--seed -1"), HasSubstr("--seed: '-1' is no whole number from 0 to 2^64 - 1"));
    EXPECT_THAT(error("--ranks 0"), HasSubstr("--ranks: '0' is no whole number from 1 to 1048576"));
    EXPECT_THAT(error("--iterations -3"), HasSubstr("--iterations: '-3' is no whole number from 1 to 1000000"));
    error("--dtype f8");
}

TEST(GenerateProgram, NeedsNoMoreMemoryForMoreRanks) {
    const TemporaryFolder folder;
    const auto run = generate(folder, "big", "--elements 2000000 --ranks 64 --iterations 1");   // 512 MB
    EXPECT_EQ(run.status, 0) << run.output;
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    EXPECT_LT(usage.ru_maxrss, 192 * 1024);   // KiB; the hash of the finished trace maps parts of it
}

}   // namespace
}   // namespace oscar::generate_program_test
