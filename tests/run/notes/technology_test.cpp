#include <gmock/gmock.h>

#include "sim/run/notes/notes.hpp"

namespace oscar::technology_test {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Parameters with_technology(std::vector<UnitCost> units) {
    Parameters p;
    Technology& t = p.engine.technology.emplace();
    t.name = "round";
    t.node_nm = 10;
    t.units = std::move(units);
    t.derating.clock = {1.25, "a paper"};
    t.link = {{5.5}, "a data sheet"};
    return p;
}

UnitCost lane(EngineUnit unit, Time period, std::string variant = "") {
    UnitCost cost;
    cost.unit = unit;
    cost.variant = std::move(variant);
    cost.period = period;
    return cost;
}

Parameters lanes(Time encoder, Time decoder) {
    return with_technology(
        {lane(EngineUnit::asc_encoder_lane, encoder), lane(EngineUnit::asc_decoder_lane, decoder, "flash")});
}

TEST(TechnologyNotes, AreNoneWithoutOne) { EXPECT_THAT(notes_on_technology(Parameters{}), IsEmpty()); }

TEST(TechnologyNotes, NameEachFigureThatSynthesisDoesNotGiveWithItsSource) {
    const auto notes = notes_on_technology(lanes(500_ps, 500_ps));
    EXPECT_THAT(notes.at(0), HasSubstr("engine.technology round (10 nm)"));
    EXPECT_THAT(notes.at(0), HasSubstr("clock x 1.25 (a paper)"));
    EXPECT_THAT(notes.at(0), HasSubstr("link 5.5pJ/bit (a data sheet)"));
    EXPECT_THAT(notes.at(0), HasSubstr("GPU memory 0pJ/bit (assumed)"));
}

TEST(TechnologyNotes, TellTheSlowestPartOfAnEngineWhoseClockTheTechnologyDoesNotReach) {
    // 1.6 ns are 625 MHz, and times 1.25 500 MHz.
    EXPECT_THAT(notes_on_technology(lanes(500_ps, 1600_ps)),
                Contains("atalanta, asc: engine.clock 1GHz exceeds what technology round gives: asc_decoder_lane flash "
                         "625 MHz, derated 500 MHz; set engine.clock to 500MHz or less, or choose another "
                         "engine.search or engine.streams"));
}

TEST(TechnologyNotes, AreSilentOnAClockThatIsJustReached) {
    Parameters p = lanes(500_ps, 1600_ps);
    p.engine.clock = 500_MHz;
    EXPECT_THAT(notes_on_technology(p), Each(Not(HasSubstr("exceeds"))));
    p.engine.clock = Frequency{500'001};
    EXPECT_THAT(notes_on_technology(p), Contains(HasSubstr("engine.clock 500001kHz exceeds")));
}

TEST(TechnologyNotes, NameThePartsThatAreNotCounted) {
    EXPECT_THAT(notes_on_technology(lanes(500_ps, 500_ps)),
                Contains("energies and areas are without value_adder, integer_adder, table_registers, symbol_counts, "
                         "block_packer, block_unpacker, table_unit: engine.technology does not have them"));
}

TEST(TechnologyNotes, NameTheMethodWhoseCoderIsMissing) {
    Parameters p = lanes(500_ps, 500_ps);
    p.methods = {{"r", RansParams{}}};
    EXPECT_THAT(notes_on_technology(p), Contains("r: engine.technology has no rans_encoder_lane with streams: 1, no "
                                                 "rans_decoder_lane with streams: 1; "
                                                 "its energy and area are null"));
}

}   // namespace
}   // namespace oscar::technology_test
