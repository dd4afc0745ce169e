// Notes on lossy methods.
#include <gmock/gmock.h>

#include "sim/run/notes/notes.hpp"

namespace oscar::lossy_notes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Parameters with_method(const LossyKind& kind) {
    Parameters p;
    Method method{std::string(kind.name()), Fp32Params{}};
    method.lossy.emplace().compressor = kind;
    p.methods = {method};
    return p;
}

Parameters with_tagc(std::uint32_t ranks, double zeros, double ratio) {
    TagcParams tagc;
    tagc.zeros = zeros;
    tagc.ratio = ratio;
    Parameters p = with_method(tagc);
    p.ranks = ranks;
    return p;
}

Parameters with_accordion(const AdjustableKind& compressor, double low, double high) {
    AccordionParams accordion;
    accordion.compressor = compressor;
    accordion.low = low;
    accordion.high = high;
    return with_method(accordion);
}

TEST(NotesOnSketches, TellTheLoadOfThePapersSettingsBeyondItsTwoRanks) {
    // Table 1 of the paper has 98.75 % zeros for 10x: 2 ranks list 1 - 0.9875^2 = 0.0248 of the elements, 0.248 for a
    // cell; 8 ranks 1 - 0.9875^8 = 0.0957, 0.957 for a cell. (1 - 0.0818)^(1/8) = 0.9894 would do.
    EXPECT_THAT(notes_on_lossy(with_tagc(2, 0.9875, 10)), IsEmpty());
    EXPECT_THAT(notes_on_lossy(with_tagc(8, 0.9875, 10)),
                ElementsAre(AllOf(HasSubstr("tagc: 8 ranks"), HasSubstr("list 0.957 elements"),
                                  HasSubstr("zeros: 0.9894 would do"))));
}

TEST(NotesOnSketches, AreNoneWhereNothingIsSketchedOrNothingIsMadeZero) {
    EXPECT_THAT(notes_on_lossy(with_tagc(8, 0.5, 1)), IsEmpty());
    EXPECT_THAT(notes_on_lossy(with_tagc(8, 0, 10)), IsEmpty());
}

TEST(NotesOnLossy, TellWhereAControllerCompressesCriticalRegimesMost) {
    const SparsifierParams<TopKSelect> top_k;
    EXPECT_THAT(notes_on_lossy(with_accordion(top_k, 10, 100)), IsEmpty());
    EXPECT_THAT(notes_on_lossy(with_accordion(top_k, 100, 10)),
                ElementsAre(AllOf(HasSubstr("accordion: low: 100"), HasSubstr("high: 10"))));
    EXPECT_THAT(notes_on_lossy(with_accordion(PowerSgdParams{}, 4, 1)), IsEmpty());   // ranks: more is less compression
}

TEST(NotesOnLossy, TellWhatIsLostWithoutErrorFeedback) {
    Parameters p = with_method(OneBitParams{});
    EXPECT_THAT(notes_on_lossy(p), IsEmpty());
    p.methods[0].lossy->feedback = false;
    EXPECT_THAT(notes_on_lossy(p), ElementsAre(HasSubstr("one_bit: feedback: false")));
}

}   // namespace
}   // namespace oscar::lossy_notes_test
