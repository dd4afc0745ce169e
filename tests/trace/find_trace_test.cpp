#include "sim/trace/find_trace.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/trace/trace_folder.hpp"

namespace oscar::find_trace_test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// Shipped traces, which OSCAR_SIM_DATA names, and a folder of the user's with an experiment and a trace.
struct Traces {
    Traces() {
        for (const char* name : {"one-shipped", "lenet-fmnist"}) make(data.path() / "traces" / name);
        make(mine.path() / "traces/of-mine");
        fs::create_directories(mine.path() / "a");
        ::setenv("OSCAR_SIM_DATA", data.path().c_str(), 1);
    }
    ~Traces() { ::unsetenv("OSCAR_SIM_DATA"); }
    Traces(const Traces&) = delete;
    Traces& operator=(const Traces&) = delete;

    static void make(const fs::path& folder) {
        fs::create_directories(folder);
        std::ofstream(folder / "trace.yaml") << "format: 1\n";
    }
    testing::TemporaryFolder data, mine;
    fs::path experiment = mine.path() / "a/exp.yaml";
};

TEST(FindTrace, TakesAPathOrANameAmongTheShippedOnes) {
    const Traces traces;
    EXPECT_EQ(find_trace_named("one-shipped"), traces.data.path() / "traces/one-shipped");
    EXPECT_EQ(find_trace_named("traces/one-shipped"), traces.data.path() / "traces/one-shipped");
    EXPECT_EQ(find_trace_named("lenet-fmnist"), "traces/lenet-fmnist");   // tests run in the root, which comes first
    EXPECT_EQ(find_trace_named(traces.mine.path() / "traces/of-mine"), traces.mine.path() / "traces/of-mine");
    EXPECT_EQ(find_trace_named("of-mine"), std::nullopt);
    EXPECT_EQ(find_trace_named(traces.mine.path()), std::nullopt);
}

TEST(FindTrace, OfAConfigurationLooksBesideAndAboveItFirst) {
    const Traces traces;
    EXPECT_EQ(find_trace_beside("traces/of-mine", traces.experiment), traces.mine.path() / "traces/of-mine");
    EXPECT_EQ(find_trace_beside("of-mine", traces.experiment), traces.mine.path() / "traces/of-mine");
    EXPECT_EQ(find_trace_beside("one-shipped", traces.experiment), traces.data.path() / "traces/one-shipped");
    Traces::make(traces.mine.path() / "a/one-shipped");
    EXPECT_EQ(find_trace_beside("one-shipped", traces.experiment), traces.mine.path() / "a/one-shipped");
}

TEST(FindTrace, IsNotMisledByAFolderOrAFileOfThatName) {
    const Traces traces;
    fs::create_directories(traces.mine.path() / "a/one-shipped");
    traces.mine.write("a/lenet-fmnist", "");
    EXPECT_EQ(find_trace_beside("one-shipped", traces.experiment), traces.data.path() / "traces/one-shipped");
    EXPECT_EQ(find_trace_beside("lenet-fmnist", traces.experiment), "traces/lenet-fmnist");
}

TEST(WhyNoTrace, SuggestsTheNearestTraceOfThatFolderOrOfTheShippedOnes) {
    const Traces traces;
    EXPECT_THAT(why_no_trace("one-shiped", ""), HasSubstr("no such folder (did you mean one-shipped?); name"));
    EXPECT_THAT(why_no_trace("traces/lenet-fminst", "here"),
                HasSubstr("no such folder 'traces/lenet-fminst' (did you mean traces/lenet-fmnist?), here; name"));
    EXPECT_THAT(why_no_trace("lenet", ""), HasSubstr("(did you mean lenet-fmnist?)"));
    EXPECT_THAT(why_no_trace(traces.mine.path() / "traces/of-mime", ""),
                HasSubstr("(did you mean " + (traces.mine.path() / "traces/of-mine").string() + "?)"));
    EXPECT_THAT(why_no_trace("nothing-like-it", ""), Not(HasSubstr("did you mean")));
    EXPECT_THAT(why_no_trace(std::string(60'000, 'x'), "here"), ::testing::SizeIs(::testing::Le(250U)));
}

/// Works in another folder for a while.
struct WorkingIn {
    explicit WorkingIn(const fs::path& folder) { fs::current_path(folder); }
    ~WorkingIn() { fs::current_path(before); }
    WorkingIn(const WorkingIn&) = delete;
    WorkingIn& operator=(const WorkingIn&) = delete;
    fs::path before = fs::current_path();
};

TEST(FindTrace, InTheWorkingFolderComesBeforeAShippedOneOfItsName) {
    const Traces traces;
    Traces::make(traces.mine.path() / "one-shipped");
    const WorkingIn mine(traces.mine.path());
    EXPECT_EQ(find_trace_named("one-shipped"), "one-shipped");
}

TEST(WhyNoTrace, SuggestsATraceOfTheWorkingFolderToo) {
    const Traces traces;
    Traces::make(traces.mine.path() / "gradients-of-today");
    const WorkingIn mine(traces.mine.path());
    EXPECT_THAT(why_no_trace("gradients-of-todai", ""), HasSubstr("(did you mean gradients-of-today?)"));
}

TEST(WhyNoTrace, NamesTheConversionForFilesAndFoldersOfSomethingElse) {
    EXPECT_EQ(
        why_no_trace("README.md", "here"),
        "'README.md' is no folder; name one with a trace.yaml, which oscar-sim trace convert makes of an .npz, .npy "
        "or .safetensors file");
    EXPECT_EQ(why_no_trace("docs", "here"),
              "'docs' holds no trace.yaml; name the folder of a trace, which oscar-sim trace "
              "convert makes of arrays");
}

}   // namespace
}   // namespace oscar::find_trace_test
