// Notes on what a run has shown.
#include <gmock/gmock.h>

#include <limits>

#include "sim/report/timeline/trace_events.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar::results_notes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TraceManifest with_layers(std::size_t count) {
    TraceManifest manifest;
    manifest.layers.resize(count);
    return manifest;
}

TEST(NotesOnReplay, TellThatOneLayerHasOneScale) {
    Parameters p;
    p.methods.clear();
    p.quantiser = PerTensorParams{};
    EXPECT_THAT(
        notes_on_replay(p, with_layers(1), {}, 100),
        ElementsAre(HasSubstr("quantiser per_tensor: the trace has one layer, so that there is one scale for all, "
                              "as with max;")));
    EXPECT_THAT(notes_on_replay(p, with_layers(2), {}, 100), IsEmpty());
    p.quantiser = MaxParams{};
    EXPECT_THAT(notes_on_replay(p, with_layers(1), {}, 100), IsEmpty());
}

TEST(NotesOnReplay, TellFactorsThatLeaveLessThanOneValue) {
    Parameters p;
    SparsifierParams<TopKSelect> top_k;
    top_k.factor = 1e9;
    Method method{"sparse", Fp32Params{}};
    method.lossy.emplace().compressor = top_k;
    p.methods = {method};
    EXPECT_THAT(notes_on_replay(p, with_layers(2), {}, 1000),
                ElementsAre(HasSubstr("sparse: factor 1e+09 leaves less than one of 1000 values")));
    EXPECT_THAT(notes_on_replay(p, with_layers(2), {}, 2'000'000'000), IsEmpty());
}

TEST(NotesOnReplay, TellSumsThatExceedFp32) {
    Parameters p;
    p.methods.clear();
    std::vector<MethodReport> methods(2);
    methods[0].name = "fp32";
    methods[0].relative_l2_error = std::numeric_limits<double>::infinity();
    methods[1].relative_l2_error = 0.1;
    EXPECT_THAT(notes_on_replay(p, with_layers(2), methods, 10),
                ElementsAre(HasSubstr("fp32: sums of the ranks' gradients exceed what fp32 holds")));
}

TEST(NotesOnTimelines, TellThoseThatEndedBeforeTheirWindow) {
    Parameters p;
    Report report;
    report.timelines = {{"fp32", std::make_shared<const TraceEvents>()}};
    EXPECT_THAT(notes_on_timelines(p, report), IsEmpty());
    p.timeline_window = TimelineWindow{Time{10'000'000'000'000}, {}};
    EXPECT_THAT(notes_on_timelines(p, report),
                ElementsAre(HasSubstr("fp32: its timeline is empty: it ended before timeline_window.from, 10s")));
    TraceEvents events;
    events.slice(0, 0, "step", {Time{0}, Time{5}});
    report.timelines = {{"fp32", std::make_shared<const TraceEvents>(events)}};
    EXPECT_THAT(notes_on_timelines(p, report), IsEmpty());
}

}   // namespace
}   // namespace oscar::results_notes_test
