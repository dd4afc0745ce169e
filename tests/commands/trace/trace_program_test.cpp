// `oscar-sim trace`, as a user runs it.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include "sim/trace/trace.hpp"
#include "tests/commands/trace/support.hpp"
#include "tests/core/address_sanitizer.hpp"
#include "tests/system/program.hpp"
#include "tests/trace/archive.hpp"

namespace oscar::trace_program_test {
namespace {

using test::oscar_sim;
using ::testing::AllOf;
using testing::deflated;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::npy_file;
using testing::stored;
using testing::TemporaryFolder;
using testing::TinyTrace;
using testing::zip;

const std::string shipped = "traces/lenet-fmnist";

std::vector<float> gradient(const std::filesystem::path& folder, std::size_t position, std::uint32_t rank) {
    const IterationView view = Trace::open(folder).iteration(position);
    const auto values = view.gradient(Rank{rank});
    return {values.begin(), values.end()};
}

std::size_t entries_in(const TemporaryFolder& folder) {
    const auto all = std::filesystem::directory_iterator(folder.path());
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(TraceProgram, InfoShowsHeaderTableAndHistogram) {
    const auto info = oscar_sim("trace info " + shipped + " --iteration 7");
    EXPECT_EQ(info.status, 0);
    EXPECT_THAT(info.output,
                AllOf(HasSubstr("lenet-fmnist"), HasSubstr("fc1.weight    [88, 256]"), HasSubstr("kurtosis"),
                      HasSubstr("2^-9"), HasSubstr("max scale per layer"), HasSubstr("step 1199, late")));
    const auto wrong = oscar_sim("trace info " + shipped + " --iteration 8");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.output, "oscar-sim: --iteration 8: traces/lenet-fmnist has 8 iterations; choose 0 to 7\n");
}

TEST(TraceProgram, HashAndVerifyAgree) {
    EXPECT_EQ(oscar_sim("trace hash " + shipped).output, "6a7e2d10efb90b23\n");
    const auto verified = oscar_sim("trace verify traces/*");
    EXPECT_EQ(verified.status, 0) << verified.output;
    EXPECT_THAT(verified.output, HasSubstr("traces/lenet-fmnist: ok (hash 6a7e2d10efb90b23)\n"));
}

TEST(TraceProgram, TakesShippedTracesByName) {
    EXPECT_EQ(oscar_sim("trace hash lenet-fmnist").output, oscar_sim("trace hash traces/lenet-fmnist").output);
    EXPECT_THAT(oscar_sim("trace info lenet-fmnist").output, HasSubstr("LeNet-5 style CNN"));
    const auto wrong = oscar_sim("trace info lenet-fminst");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.output,
              "oscar-sim: lenet-fminst: no such folder (did you mean lenet-fmnist?); name the folder of a trace, "
              "or a shipped one, like lenet-fmnist\n");
}

TEST(TraceProgram, VerifyFindsAChangedValueOnceATraceHasHashes) {
    const TinyTrace trace;
    const std::string name = trace.path().string();
    const auto older = oscar_sim("trace verify " + name);
    EXPECT_EQ(older.status, 0);
    EXPECT_THAT(older.output,
                HasSubstr("; format 1 has no hashes of its arrays, so a changed value is not found; oscar-sim "
                          "trace hash --write " +
                          name + " adds them\n"));
    const auto written = oscar_sim("trace hash --write " + name);
    EXPECT_EQ(written.status, 0) << written.output;
    EXPECT_EQ(oscar_sim("trace verify " + name).output, name + ": ok (hash " + written.output.substr(0, 16) + ")\n");
    trace.write("iteration-00001.npy", npy_file(2, 5, {0, 3, -4, 0, 8, 0, 0, 0, 0, 8.5}));
    const auto changed = oscar_sim("trace verify " + name);
    EXPECT_EQ(changed.status, 2);
    EXPECT_THAT(changed.output, AllOf(HasSubstr(name + "/iteration-00001.npy: has the hash "), HasSubstr("trace.yaml:"),
                                      HasSubstr(", so it was changed; bring back the file")));
    trace.write("iteration-00001.npy", npy_file(2, 5, {0, 3, -4}));   // says more than its hash
    EXPECT_THAT(oscar_sim("trace verify " + name).output, HasSubstr("is cut off: shape [2, 5]"));
}

TEST(TraceProgram, WritesTracesOfFormat2WithHashes) {
    const TemporaryFolder folder;
    folder.write("g.npz", zip({stored("0.npy", npy_file(2, 3, {1, 2, 3, 4, 5, 6}))}));
    const auto out = [&](const char* name) { return (folder.path() / name).string(); };
    for (const std::string& command : {"convert " + out("g.npz") + " " + out("a"), "slice " + out("a") + " " + out("b"),
                                       "generate --elements 100 --iterations 1 " + out("c")})
        EXPECT_EQ(oscar_sim("trace " + command).status, 0) << command;
    for (const char* name : {"a", "b", "c"}) {
        EXPECT_TRUE(Trace::open(out(name)).has_hashes()) << name;
        EXPECT_THAT(oscar_sim("trace verify " + out(name)).output, ::testing::EndsWith(")\n")) << name;
    }
}

TEST(TraceProgram, VerifyChecksAllAndFailsIfOneIsWrong) {
    const TinyTrace good, bad, unlicensed, unordered;
    bad.write("iteration-00001.npy", npy_file(2, 5, {1, 2, 3}));
    const auto with = [](std::string_view from, std::string_view to) {
        std::string text(TinyTrace::text);
        return text.replace(text.find(from), from.size(), to);
    };
    unlicensed.write("trace.yaml", with("data: {licence: MIT}\n", ""));
    unordered.write("trace.yaml", with("step: 6", "step: 5"));
    const auto run = oscar_sim("trace verify " + bad.path().string() + " " + unlicensed.path().string() + " " +
                               unordered.path().string() + " no/such " + good.path().string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.output,
                AllOf(HasSubstr("is cut off: shape [2, 5]"), HasSubstr("data.licence: is missing"),
                      HasSubstr("iterations.1.step: 5 does not come after 5"), HasSubstr("no/such: no such folder"),
                      HasSubstr(good.path().string() + ": ok (hash ")));
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 5);
    EXPECT_EQ(oscar_sim("trace verify README.md").status, 2);
}

TEST(TraceProgram, ConvertMakesATraceOfAnNpzWithEveryValue) {
    const TemporaryFolder folder;
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{-1, -2, -3, -4, -5, 0x1p-149F};
    folder.write("g.npz", zip({stored("step10.npy", npy_file(2, 3, b)), deflated("step9.npy", npy_file(2, 3, a))}));
    const auto out = folder.path() / "deep" / "out";
    const auto run = oscar_sim("trace convert " + (folder.path() / "g.npz").string() + " " + out.string() +
                               " --name mine --licence MIT");
    ASSERT_EQ(run.status, 0) << run.output;
    EXPECT_THAT(run.output, HasSubstr("2 iterations of 2 ranks, 3 values in 1 layer (hash "));
    EXPECT_EQ(Trace::open(out).manifest().name, "mine");
    EXPECT_TRUE(Trace::open(out).follows(1));   // steps 9 and 10
    EXPECT_EQ(gradient(out, 0, 1), (std::vector<float>{4, 5, 6}));
    EXPECT_EQ(gradient(out, 1, 1), (std::vector<float>{-4, -5, 0x1p-149F}));
    EXPECT_EQ(oscar_sim("trace verify " + out.string()).status, 0);
    const auto again = oscar_sim("trace convert " + (folder.path() / "g.npz").string() + " " + out.string());
    EXPECT_EQ(again.status, 2);
    EXPECT_EQ(again.output, "oscar-sim: " + out.string() + ": exists and is not empty; name a new folder\n");
}

TEST(TraceProgram, ConvertSaysAtOnceThatThereIsOneRankOnly) {
    const TemporaryFolder folder;
    const auto convert = [&](std::size_t ranks) {
        folder.write("g.npz", zip({stored("0.npy", npy_file(ranks, 2, std::vector<float>(2 * ranks, 1)))}));
        return oscar_sim("trace convert " + (folder.path() / "g.npz").string() + " " +
                         (folder.path() / std::to_string(ranks)).string());
    };
    const auto one = convert(1);
    EXPECT_EQ(one.status, 0);
    EXPECT_THAT(one.output, AllOf(HasSubstr("1 iteration of 1 rank, 2 values"),
                                  HasSubstr("\nNOTE: the arrays have one rank, and a collective needs two")));
    EXPECT_THAT(convert(2).output, Not(HasSubstr("NOTE")));
}

TEST(TraceProgram, ConvertPutsLayersSideBySide) {
    const TemporaryFolder folder;
    std::string words;   // bf16 of 1, 2, 3, 4: ranks, then values
    for (const int word : {0x3f80, 0x4000, 0x4040, 0x4080})
        words += testing::number(static_cast<std::uint64_t>(word), 2);
    folder.write("g.safetensors", testing::safetensors(R"({"4/w":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]},)"
                                                       R"("4/b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})",
                                                       words + testing::bytes_of({7, 8})));
    const auto out = folder.path() / "out";
    ASSERT_EQ(oscar_sim("trace convert " + (folder.path() / "g.safetensors").string() + " " + out.string()).status, 0);
    EXPECT_EQ(gradient(out, 0, 0), (std::vector<float>{1, 2, 7}));
    EXPECT_EQ(gradient(out, 0, 1), (std::vector<float>{3, 4, 8}));
    EXPECT_EQ(Trace::open(out).manifest().layers[1].name, "b");
}

TEST(TraceProgram, ConvertToFp16ScalesByAPowerOfTwo) {
    const TemporaryFolder folder;
    const std::vector<float> values{0x1p-40F, -0x1.ffcp-20F, 0, 0x1p-30F};   // 11 significant bits at most: exact
    folder.write("g.npz", zip({stored("0.npy", npy_file(2, 2, values))}));
    const auto out = folder.path() / "out";
    ASSERT_EQ(oscar_sim("trace convert --dtype f2 " + (folder.path() / "g.npz").string() + " " + out.string()).status,
              0);
    EXPECT_EQ(Trace::open(out).manifest().iterations[0].scale, 0x1p-34);   // 2^-20 < peak < 2^-19, to 2^14..2^15
    EXPECT_EQ(gradient(out, 0, 0), (std::vector<float>{0x1p-40F, -0x1.ffcp-20F}));
    EXPECT_EQ(gradient(out, 0, 1), (std::vector<float>{0, 0x1p-30F}));
}

TEST(TraceProgram, WritesNothingWhenSomethingIsWrong) {
    const TemporaryFolder folder;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    folder.write("g.npz", zip({stored("0.npy", npy_file(2, 1, {1, 2})), stored("1.npy", npy_file(2, 1, {1, nan}))}));
    const std::string file = (folder.path() / "g.npz").string(), out = (folder.path() / "a" / "b").string();
    const auto run = oscar_sim("trace convert " + file + " " + out);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.output,
              "oscar-sim: " + file + ":1.npy: holds NaN at value 1; capture iterations whose gradients are finite\n");
    EXPECT_EQ(entries_in(folder), 1U);
    EXPECT_EQ(oscar_sim("trace convert no/such.npz " + out).status, 2);
    const TinyTrace bad;
    bad.write("iteration-00001.npy", npy_file(2, 5, {0, 0, 0, 0, 0, 0, 0, 0, nan, 0}));
    const auto slice = oscar_sim("trace slice " + bad.path().string() + " " + out);
    EXPECT_EQ(slice.status, 2);
    EXPECT_THAT(slice.output, HasSubstr("the gradient of rank 1 is NaN at value 3 of layer a"));
    EXPECT_EQ(entries_in(folder), 1U);
    EXPECT_EQ(oscar_sim("trace slice " + bad.path().string() + " " + out + " --ranks 1").status, 0);   // not that rank
}

TEST(TraceProgram, SliceTakesIterationsRanksAndLayers) {
    const TemporaryFolder folder;
    const auto out = folder.path() / "out";
    const auto run =
        oscar_sim("trace slice " + shipped + " " + out.string() + " --iterations 2:5 --ranks 3 --layers 'conv*,fc3.*'");
    ASSERT_EQ(run.status, 0) << run.output;
    const Trace whole = Trace::open(shipped), part = Trace::open(out);
    EXPECT_EQ(part.iterations(), 3U);
    EXPECT_EQ(part.ranks(), 3U);
    EXPECT_EQ(part.manifest().layers.size(), 6U);
    EXPECT_EQ(part.manifest().iterations[0].step, 12U);
    EXPECT_FALSE(part.follows(2));   // 13, 1196
    for (std::uint32_t rank = 0; rank < 3; ++rank) {
        const auto from = gradient(shipped, 4, rank), to = gradient(out, 2, rank);
        const auto fc3 = static_cast<std::ptrdiff_t>(whole.layer_offsets()[8]),
                   convs = static_cast<std::ptrdiff_t>(whole.layer_offsets()[4]);
        std::vector<float> due(from.begin(), from.begin() + convs);
        due.insert(due.end(), from.begin() + fc3, from.end());
        EXPECT_EQ(to, due);
    }
}

TEST(TraceProgram, SliceKeepsSixteenBitValuesAsTheyAre) {
    const TinyTrace folder;
    std::string text(TinyTrace::text), words;
    text.replace(text.find("step: 5"), 7, "step: 5, scale: 0.5");
    folder.write("trace.yaml", text);
    for (int i = 0; i < 10; ++i) words += testing::number(static_cast<std::uint64_t>(i), 2);
    folder.write("iteration-00000.npy",
                 testing::aligned_front("{'descr': '<f2', 'fortran_order': False, 'shape': (2, 5), }") + words);
    const TemporaryFolder other;
    const auto out = other.path() / "out";
    ASSERT_EQ(oscar_sim("trace slice " + folder.path().string() + " " + out.string() + " --layers b").status, 0);
    EXPECT_EQ(test::text_of(out / "iteration-00000.npy").substr(128), testing::number(4, 2) + testing::number(9, 2));
    EXPECT_EQ(gradient(out, 0, 1), std::vector<float>{9 * 0x1p-25F});
    EXPECT_EQ(gradient(out, 1, 1), std::vector<float>{8});
}

TEST(TraceProgram, SliceSaysHowToWriteItsOptions) {
    const TemporaryFolder folder;
    const auto error = [&](const std::string& options) {
        const auto run = oscar_sim("trace slice " + shipped + " " + (folder.path() / "out").string() + " " + options);
        EXPECT_EQ(run.status, 2) << options;
        EXPECT_EQ(entries_in(folder), 0U);
        return run.output;
    };
    for (const char* range : {"3:3", "0:9", "x", "5", "2:1", "-1:3", "1:2:3"})
        EXPECT_THAT(error(std::string("--iterations=") + range), HasSubstr("write it like 0:8 for all"));
    EXPECT_THAT(error("--ranks 9"), HasSubstr("the trace has 8 ranks; choose 1 to 8"));
    EXPECT_THAT(error("--layers conv1.wieght"), HasSubstr("(did you mean conv1.weight?)"));
    EXPECT_THAT(error("--layers ,"), HasSubstr("names no layer"));
}

/// A trace of holes, which takes no room on the disk: [4, 2^24] fp32 are 256 MiB an iteration.
void write_holes(const TemporaryFolder& folder, std::size_t iterations) {
    std::string text =
        "format: 1\nparameters: 16777216\nranks: 4\ndata: {licence: none}\nlayers:\n"
        "  - {name: big, shape: [16777200]}\n  - {name: small, shape: [16]}\niterations:\n";
    for (std::size_t i = 0; i < iterations; ++i) {
        const std::string name = "i" + std::to_string(i) + ".npy",
                          front = testing::aligned_front(
                              "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 16777216), }");
        std::filesystem::resize_file(folder.write(name, front), front.size() + (std::uintmax_t{1} << 28));
        text += "  - {file: " + name + ", step: " + std::to_string(i) + "}\n";
    }
    folder.write("trace.yaml", text);
}

/// Of the largest process that this one started, in bytes; ctest gives each test a process of its own.
std::size_t peak_memory_of_children() {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
}

TEST(TraceProgram, ReadsOneIterationOfTenGibibytesInLessThanTwoOfItsSize) {
    const TemporaryFolder folder;
    write_holes(folder, 40);
    EXPECT_EQ(oscar_sim("trace info --iteration 3 " + folder.path().string()).status, 0);
    EXPECT_LT(peak_memory_of_children(), std::size_t{512} << 20);
}

TEST(TraceProgram, SlicesTenGibibytesWithoutTouchingTheRest) {
    if (test::address_sanitizer) GTEST_SKIP() << "the sanitizer has memory of its own";
    const TemporaryFolder folder, other;
    write_holes(folder, 40);
    const auto run =
        oscar_sim("trace slice " + folder.path().string() + " " + (other.path() / "out").string() + " --layers small");
    EXPECT_EQ(run.status, 0) << run.output;
    EXPECT_LT(peak_memory_of_children(), std::size_t{64} << 20);
}

}   // namespace
}   // namespace oscar::trace_program_test
