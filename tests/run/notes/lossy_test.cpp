// Notes on lossy methods.
#include <gmock/gmock.h>

#include "sim/run/notes/notes.hpp"

namespace oscar::lossy_notes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Parameters with_tagc(std::uint32_t ranks, double zeros, double ratio) {
    Parameters p;
    p.ranks = ranks;
    TagcParams tagc;
    tagc.zeros = zeros;
    tagc.ratio = ratio;
    Method method{"tagc", Fp32Params{}};
    method.lossy.emplace().compressor = tagc;
    p.methods = {method};
    return p;
}

TEST(NotesOnSketches, TellTheLoadOfThePapersSettingsBeyondItsTwoRanks) {
    // Table 1 of the paper has 98.75 % zeros for 10x: 2 ranks list 1 - 0.9875^2 = 0.0248 of the elements, 0.248 for a
    // cell; 8 ranks 1 - 0.9875^8 = 0.0957, 0.957 for a cell. (1 - 0.0818)^(1/8) = 0.9894 would do.
    EXPECT_THAT(notes_on_sketches(with_tagc(2, 0.9875, 10)), IsEmpty());
    EXPECT_THAT(notes_on_sketches(with_tagc(8, 0.9875, 10)),
                ElementsAre(AllOf(HasSubstr("tagc: 8 ranks"), HasSubstr("list 0.957 elements"),
                                  HasSubstr("zeros: 0.9894 would do"))));
}

TEST(NotesOnSketches, AreNoneWhereNothingIsSketchedOrNothingIsMadeZero) {
    EXPECT_THAT(notes_on_sketches(with_tagc(8, 0.5, 1)), IsEmpty());
    EXPECT_THAT(notes_on_sketches(with_tagc(8, 0, 10)), IsEmpty());
}

}   // namespace
}   // namespace oscar::lossy_notes_test
