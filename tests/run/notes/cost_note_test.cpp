#include "sim/run/notes/notes.hpp"

#include <gmock/gmock.h>

#include "sim/checks/load_experiment.hpp"
#include "tests/run/laboratory.hpp"

namespace oscar::cost_note_test {
namespace {

using ::testing::Eq;
using ::testing::HasSubstr;

/// With these methods.
Parameters parameters_of(std::vector<Method> methods) {
    Parameters p;
    p.methods = std::move(methods);
    p.chunks = EqualParams{};
    return p;
}
const Method asc{"asc", AscParams{}}, adaptive_asc{"adaptive", AscParams{.adapt = Update::symbol}},
    fp32{"fp32", Fp32Params{}}, fixed{"fixed_point", FixedPointParams{}};

std::string charged(const Parameters& p) {
    const std::string note = note_on_costs(p).value();
    return note.substr(0, note.find("; hidden"));
}
std::string hidden(const Parameters& p) {
    const std::string note = note_on_costs(p).value();
    return note.substr(note.find("; hidden"));
}

TEST(CostNote, IsNoneWhereNoMethodCompresses) {
    EXPECT_THAT(note_on_costs(parameters_of({fp32, fixed})), Eq(std::nullopt));
    EXPECT_TRUE(note_on_costs(parameters_of({fp32, asc})));
}

TEST(CostNote, TellsTheAssumptionsOfTheDefaults) {
    Parameters p = parameters_of({fp32, adaptive_asc});
    p.chunks = PredictedParams{};
    EXPECT_EQ(note_on_costs(p).value(),
              "charged: search of peaks before an exchange of scales (gpu.scan_passes 2); hidden, no time: "
              "quantisation by the NIC (gpu.gradients fp32), classes of values and chunks by cost (gpu.plan_passes 2, "
              "gpu.planning hidden), tables of the next iteration (engine.table_update 0, engine.learning hidden), "
              "adaptive and inline tables (engine.table_update 0)");
}

TEST(CostNote, ChargesWhatHasASwitchThatIsOnAndTakesTime) {
    Parameters p = parameters_of({adaptive_asc});
    p.chunks = PredictedParams{};
    p.gpu.gradients = GradientForm::codes;
    p.gpu.planning = p.engine.learning = Exposure::exposed;
    p.engine.table_update = 16;
    EXPECT_EQ(note_on_costs(p).value(),
              "charged: search of peaks before an exchange of scales (gpu.scan_passes 2), quantisation by "
              "the GPU (gpu.gradients codes), classes of values and chunks by cost (gpu.plan_passes 2, gpu.planning "
              "exposed), tables of the next iteration (engine.table_update 16, engine.learning exposed), adaptive and "
              "inline tables (engine.table_update 16); hidden, no time: nothing");
    p.gpu.plan_passes = p.gpu.scan_passes = p.engine.table_update = 0;   // exposed, but of no time
    EXPECT_THAT(charged(p), Eq("charged: quantisation by the GPU (gpu.gradients codes)"));
}

TEST(CostNote, NamesTablesOnlyWhereAMethodMakesThem) {
    EXPECT_THAT(hidden(parameters_of({asc})), Not(HasSubstr("adaptive")));
    EXPECT_THAT(hidden(parameters_of({asc})), HasSubstr("tables of the next iteration"));
    EXPECT_THAT(hidden(parameters_of({{"aac", AacParams{}}})), Not(HasSubstr("next iteration")));
    EXPECT_THAT(hidden(parameters_of({{"aac", AacParams{}}})), HasSubstr("adaptive and inline tables"));
    EXPECT_THAT(hidden(parameters_of({asc})), Not(HasSubstr("gpu.plan_passes")));
}

TEST(CostNote, ChargesTheLeadersBoundariesWhateverIsHidden) {
    Parameters p = parameters_of({asc});
    p.chunks = LeaderParams{};
    EXPECT_THAT(charged(p), HasSubstr("boundaries cut by the leader (gpu.plan_passes 2)"));
    p.gpu.plan_passes = 0;
    EXPECT_THAT(hidden(p), HasSubstr("boundaries cut by the leader (gpu.plan_passes 0)"));
}

}   // namespace
}   // namespace oscar::cost_note_test
