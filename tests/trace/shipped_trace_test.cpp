// The traces of the repository; runs in its root, as ctest does.
#include <gtest/gtest.h>

#include "sim/trace/trace.hpp"

namespace oscar {
namespace {

TEST(ShippedTraces, are_whole_and_finite) {
    std::size_t traces = 0;
    for (const auto& entry : std::filesystem::directory_iterator("traces")) {
        if (!entry.is_directory()) continue;
        const Trace trace = Trace::open(entry.path());
        for (std::size_t i = 0; i < trace.iterations(); ++i)
            EXPECT_EQ(trace.iteration(i).gradient(Rank{trace.ranks() - 1}).size(), trace.elements());
        EXPECT_FALSE(trace.manifest().data.licence.empty()) << entry.path();
        EXPECT_TRUE(trace.follows(1)) << entry.path() << ": predictors need neighbouring steps";
        ++traces;
    }
    EXPECT_GE(traces, 1U);
}

}   // namespace
}   // namespace oscar
