// Levels of signals, from job to job.
#include "models/machine/base/waveform.hpp"

#include <gmock/gmock.h>

namespace oscar::waveform_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;

TEST(Waveform, ForgetsWhatItsSignalsWereInTheJobBefore) {
    Waveform waveform({});
    Level& queue = *waveform.level("machine.rank0", "queue", 3);
    waveform.begin();
    queue.add(10_ns, 2);
    EXPECT_THAT(waveform.signals(0_ns).front().changes, ElementsAre(SignalChange{0_ns, 3}, SignalChange{10_ns, 5}));
    waveform.begin();
    queue.add(30_ns, 1);
    EXPECT_THAT(waveform.signals(20_ns).front().changes, ElementsAre(SignalChange{0_ns, 3}, SignalChange{10_ns, 4}));
}

}   // namespace
}   // namespace oscar::waveform_test
