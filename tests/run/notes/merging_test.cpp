// Notes on what a configuration loses where it stands over others.
#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "sim/config/load.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar::merging_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The notes on an experiment without a trace, `above` over `below`.
std::vector<std::string> notes(std::string_view below, std::string_view above) {
    ConfigNode root = parse_config(below, "some/where/below.yaml");
    overlay(root, parse_config(above, "above.yaml"));
    apply_override(root, "payload=synthetic");
    apply_override(root, "size=64KiB");
    return notes_on_merging(make_experiment(std::move(root), "above.yaml"));
}

TEST(NotesOnMerging, NameParametersOfTheOldKindThatTheNewOneDoesNotHave) {
    EXPECT_THAT(notes("{methods: [fp32], collective: {kind: ring_2d, rows: 2, slices: 3}}", "collective: {kind: ring}"),
                ElementsAre("collective: left out rows of kind ring_2d (below.yaml:1:47): ring has no such parameter"));
}

TEST(NotesOnMerging, NameListsAndParametersBesideANameThatAreReplaced) {
    EXPECT_THAT(notes("methods: [bf16]\ncollective: {kind: ring, slices: 3}", "methods: [fp32]\ncollective: direct"),
                ElementsAre("methods: the list at above.yaml:1:10 replaces the list at below.yaml:1:10; lists are not "
                            "merged",
                            "collective: direct (above.yaml:2:13) replaces slices at below.yaml:2:13, which have their "
                            "defaults; write {kind: direct} to keep what it has of them"));
}

TEST(NotesOnMerging, AreNoneWhereAllIsKept) {
    EXPECT_THAT(notes("{methods: [fp32], engine: {lanes: 256}, collective: {kind: ring, slices: 3}}",
                      "{engine: {clock: 2GHz}, collective: {kind: direct}}"),
                IsEmpty());
}

}   // namespace
}   // namespace oscar::merging_test
