// The traces of the repository; runs in its root, as ctest does.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "sim/trace/trace.hpp"

namespace oscar::shipped_trace_test {
namespace {

namespace fs = std::filesystem;

/// A window is a part of one bucket of a model of true size; the other traces are of small models.
enum class Of { small_models, windows, all };

bool is(Of which, const fs::path& folder) {
    return which == Of::all || folder.filename().string().ends_with("-window") == (which == Of::windows);
}

std::vector<Trace> shipped(Of which = Of::all) {
    std::vector<Trace> traces;
    for (const auto& entry : fs::directory_iterator("traces"))
        if (entry.is_directory() && is(which, entry.path())) traces.push_back(Trace::open(entry.path()));
    return traces;
}

std::set<std::string> names_of(Of which) {
    std::set<std::string> names;
    for (const Trace& trace : shipped(which)) names.insert(trace.manifest().name);
    return names;
}

std::uintmax_t bytes_of(Of which) {
    std::uintmax_t bytes = 0;
    for (const Trace& trace : shipped(which))
        for (const auto& entry : fs::recursive_directory_iterator(trace.folder()))
            if (entry.is_regular_file()) bytes += entry.file_size();
    return bytes;
}

/// Largest magnitude of one iteration over all ranks; NaN if any value is not finite.
float peak(const Trace& trace, std::size_t position) {
    const IterationView view = trace.iteration(position);
    float largest = 0;
    for (std::uint32_t rank = 0; rank < trace.ranks(); ++rank)
        for (const float value : view.gradient(Rank{rank})) {
            if (!std::isfinite(value)) return NAN;
            largest = std::max(largest, std::fabs(value));
        }
    return largest;
}

/// Iterations of each stage that are followed by the next step or follow the one before.
std::map<std::string, std::size_t> consecutive(const Trace& trace) {
    std::map<std::string, std::size_t> length;
    for (std::size_t i = 0; i < trace.iterations(); ++i) {
        std::size_t& run = length[trace.manifest().iterations[i].stage];
        if (run == 0 || trace.follows(i)) ++run;
    }
    return length;
}

TEST(ShippedTraces, AreAConvolutionalNetworkAVggAResidualNetworkAnLstmAndATransformer) {
    EXPECT_THAT(names_of(Of::small_models),
                ::testing::ElementsAre("gpt-kjv", "lenet-fmnist", "lstm-kjv", "resnet20-fmnist", "vgg-fmnist"));
}

TEST(ShippedTraces, HaveWindowsOfThreeModelsOfTrueSize) {
    EXPECT_THAT(names_of(Of::windows), ::testing::SizeIs(3));
    for (const Trace& trace : shipped(Of::windows)) {
        SCOPED_TRACE(trace.manifest().name);
        EXPECT_EQ(trace.ranks(), 8U);
        EXPECT_GE(trace.elements(), 400'000U);
        EXPECT_GE(trace.manifest().layers.size(), 2U);   // across layers
        EXPECT_THAT(consecutive(trace), ::testing::ElementsAre(::testing::Pair("late", 2U)));
    }
}

TEST(ShippedTraces, AreFiniteInEveryValueAndNowhereAllZero) {
    for (const Trace& trace : shipped())
        for (std::size_t i = 0; i < trace.iterations(); ++i)
            EXPECT_GT(peak(trace, i), 0) << trace.manifest().name << ", iteration " << i;
}

TEST(ShippedTraces, HaveEightRanksAndFourConsecutiveStepsAtTwoStages) {
    for (const Trace& trace : shipped(Of::small_models)) {
        EXPECT_GE(trace.ranks(), 8U) << trace.manifest().name;
        EXPECT_THAT(consecutive(trace), ::testing::ElementsAre(::testing::Pair("early", ::testing::Ge(4U)),
                                                               ::testing::Pair("late", ::testing::Ge(4U))))
            << trace.manifest().name;
    }
}

TEST(ShippedTraces, StateTheirLicenceLossesAndQuality) {
    for (const Trace& trace : shipped()) {
        const TraceManifest& manifest = trace.manifest();
        SCOPED_TRACE(manifest.name);
        EXPECT_THAT(manifest.data.licence, ::testing::AnyOf("MIT", "public domain"));
        EXPECT_GE(manifest.loss_curve.loss.size(), 4U);
        EXPECT_EQ(manifest.loss_curve.step.size(), manifest.loss_curve.loss.size());
        for (const TraceIteration& iteration : manifest.iterations) EXPECT_GT(iteration.loss, 0);
        EXPECT_FALSE(manifest.validation.metric.empty());
        EXPECT_NE(manifest.validation.early, manifest.validation.late);
    }
}

TEST(ShippedTraces, TakeLessThan40MiBAndTheWindowsAsMuch) {
    for (const Of which : {Of::small_models, Of::windows}) EXPECT_LT(bytes_of(which), std::uintmax_t{40} << 20);
}

}   // namespace
}   // namespace oscar::shipped_trace_test
