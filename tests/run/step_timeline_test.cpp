// Timelines of lossy steps.
#include "sim/run/lossy/step_timeline.hpp"

#include <gmock/gmock.h>

#include "sim/report/timeline/timeline.hpp"
#include "sim/run/lossy/lossy_run.hpp"
#include "tests/compressor/distributions.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/run/methods.hpp"

namespace oscar::step_timeline_test {
namespace {

using namespace literals;
using Json = nlohmann::json;
using ::testing::ElementsAre;
using ::testing::FieldsAre;

/// Name, begin and end in us of the slices of a track beside the critical path.
std::vector<std::tuple<std::string, double, double>> slices(const TraceEvents& trace, int track) {
    std::vector<std::tuple<std::string, double, double>> found;
    const Json file = Json::parse(trace.text());
    for (const Json& event : file["traceEvents"])
        if (event["ph"] == "X" && event["pid"] == critical_process && event["tid"] == track)
            found.emplace_back(event["name"], event["ts"], event["ts"].get<double>() + event["dur"].get<double>());
    return found;
}

TraceEvents exchange_of(Time time) {
    TraceEvents events;
    events.slice(critical_process, 1, "a message", {0_us, time});
    return events;
}

TEST(StepTimeline, HasKernelsWhereNoExchangeIsUnderWay) {
    const TraceEvents one = exchange_of(5_us), two = exchange_of(3_us);
    const std::vector<PlacedExchange> exchanges{{"values", 2_us, 5_us, &one}, {"indices", 7_us, 3_us, &two}};
    const TraceEvents trace = step_timeline(exchanges, 12_us, {});
    EXPECT_THAT(slices(trace, 1),
                ElementsAre(FieldsAre("kernels and launches", 0, 2), FieldsAre("a message", 2, 7),
                            FieldsAre("a message", 7, 10), FieldsAre("kernels and launches", 10, 12)));
    EXPECT_THAT(slices(trace, 2), ElementsAre(FieldsAre("values", 2, 7), FieldsAre("indices", 7, 10)));
    EXPECT_THAT(slices(step_timeline(exchanges, 12_us, {8_us, 9_us}), 1), ElementsAre(FieldsAre("a message", 7, 10)));
}

constexpr std::uint32_t ranks = 4, values = 96 * 256;

IterationCodes gradients_of_an_iteration() {
    IterationCodes it;
    it.gradients = testing::random_gradients(ranks, values, 1);
    it.codes.assign(ranks, std::vector<Symbol>(values));
    return it;
}

/// Its slices follow each other without a gap, whatever the compressor exchanges.
TEST(StepTimeline, AddsUpToTheTimeOfTheStepForEachCompressor) {
    test::SmallMachine machine(ranks);
    machine.parameters.timeline = true;
    for_each_kind(lossy_kinds, [&]<class P>(const Kind<P>& kind) {
        SCOPED_TRACE(std::string(kind.name));
        Method method{std::string(kind.name), Fp32Params{}};
        method.lossy.emplace().compressor = P{};
        LossyRun run(machine.parameters, method, machine.routes, {{0, values, 96}}, 7, {}, serial_for);
        for (int i = 0; i < 2; ++i) run.iterate(machine.system, gradients_of_an_iteration(), {}, {}, [](double) {});
        ASSERT_TRUE(run.results()[0].timeline);
        EXPECT_FALSE(run.results()[1].timeline);   // that of the first step is shown
        double at = 0;
        for (const auto& [name, begin, end] : slices(*run.results()[0].timeline, 1)) {
            EXPECT_NEAR(begin, at, 1e-6) << name;
            at = end;
        }
        EXPECT_NEAR(at, static_cast<double>(run.results()[0].allreduce_ps) / 1e6, 1e-6);
        EXPECT_FALSE(slices(*run.results()[0].timeline, 2).empty());
    });
}

}   // namespace
}   // namespace oscar::step_timeline_test
