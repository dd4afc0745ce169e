// Notes on settings that are legal and hardly meant.
#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/load.hpp"
#include "sim/run/notes/notes.hpp"
#include "sim/run/prepare.hpp"

namespace oscar::settings_notes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> notes(const std::string& yaml) {
    const Experiment experiment =
        make_experiment(parse_config("payload: synthetic\nmethods: [fp32]\n" + yaml, "w.yaml"), "w.yaml");
    return notes_on_settings(experiment, prepare_topology(experiment));
}

const std::string sized = "size: 64KiB\n",
                  islands = sized + "gpu: {island_port: {}, gradients: codes}\nnetwork: {topology: {kind: hierarchical";

TEST(NotesOnIslands, TellThoseThatAreNotAlike) {
    EXPECT_THAT(notes(islands + "}}\nranks: 12"),
                ElementsAre("12 ranks on islands (nodes) of 8: 1 of 8 and one of 4; whole ones have ranks: 8 or 16"));
    EXPECT_THAT(notes(islands + "}}\nranks: 4"),
                ElementsAre("4 ranks are part of an island (node) of 8; a whole one has ranks: 8"));
    EXPECT_THAT(notes(islands + ", island: 5}}\nranks: 16"), ElementsAre(HasSubstr("ranks: 15 or 20")));
    EXPECT_THAT(notes(islands + "}}\nranks: 16"), IsEmpty());
}

TEST(NotesOnIslands, TellThoseOfACollectiveThatTheNetworkDoesNotHave) {
    EXPECT_THAT(notes(sized + "collective: hierarchical"),
                ElementsAre(HasSubstr("network.topology star has no islands")));
    EXPECT_THAT(notes(islands + "}}\nranks: 16\ncollective: hierarchical"), IsEmpty());
}

TEST(NotesOnIslands, TellThoseOfAShapeThatTheNetworkDoesNotHave) {
    EXPECT_THAT(notes(sized + "collective: {kind: reduce_scatter, shape: hierarchical}"),
                ElementsAre(HasSubstr("collective: {shape: hierarchical} counts on links that are faster")));
    EXPECT_THAT(notes(sized + "collective: reduce_scatter"), IsEmpty());
    EXPECT_THAT(notes(islands + "}}\nranks: 16\ncollective: all_gather"), IsEmpty());
}

/// 64 KiB of eight ranks are rows of 8 KiB; nccl-tests' 64 KiB are a row, and eight of them 512 KiB.
TEST(NotesOnAllToAll, TellTheSizeOfNcclTests) {
    EXPECT_THAT(
        notes(sized + "collective: all_to_all"),
        ElementsAre("size: 64KiB are the blocks of all 8 ranks, of which a rank sends a row of 8KiB; nccl-tests "
                    "calls that row the size: for its 64KiB write size: 512KiB"));
    EXPECT_THAT(notes(sized + "jobs: [{ranks: [0-1], collective: all_to_all}]"), IsEmpty());
}

TEST(NotesOnClocks, TellThoseThatNoEngineHas) {
    EXPECT_THAT(notes(sized + "engine: {clock: 1000GHz}"), ElementsAre(HasSubstr("engine.clock: 1000GHz is an ideal")));
    EXPECT_THAT(notes(sized + "nodes: [{ranks: [1], engine: {clock: 11GHz}}]"), ElementsAre(HasSubstr("11GHz")));
    EXPECT_THAT(notes(sized + "engine: {clock: 10GHz}"), IsEmpty());
}

TEST(NotesOnGivenBuckets, TellWhichAreOutOfOrderOrSilent) {
    EXPECT_THAT(
        notes("step: {given: [{bytes: 4KiB, ready: 9ms}, {bytes: 4KiB, ready: 3ms}]}"),
        ElementsAre("step.given: bucket 1 is ready at 3ms, before bucket 0 at 9ms; buckets are sent in the order "
                    "of the list, so that it waits"));
    EXPECT_THAT(notes("step: {given: [{bytes: 4KiB}, {bytes: 4KiB, ready: 3ms}]}"),
                ElementsAre(HasSubstr("step.given: bucket 0 has no ready, so it is ready when the backward pass")));
    EXPECT_THAT(notes("step: {given: [{bytes: 4KiB, ready: 1ms}, {bytes: 4KiB, ready: 3ms}]}"), IsEmpty());
}

}   // namespace
}   // namespace oscar::settings_notes_test
