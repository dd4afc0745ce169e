// Staging memory by itself: room to the byte and to the picosecond.
#include "models/nic/staging_memory.hpp"

#include <gtest/gtest.h>

namespace oscar::staging_memory_test {
namespace {

using namespace literals;

TEST(StagingMemoryTiming, HasRoomFromThePicosecondOnInWhichBytesLeave) {
    StagingMemory memory(100_B);
    EXPECT_TRUE(memory.fits(100_B, 0_ns));
    EXPECT_FALSE(memory.fits(101_B, 0_ns));
    memory.take(60_B, 0_ns, 0_ps);
    memory.release(60_B, 10_ns);
    EXPECT_TRUE(memory.fits(40_B, 9_ns + 999_ps));
    EXPECT_FALSE(memory.fits(41_B, 9_ns + 999_ps));
    EXPECT_EQ(memory.next_release(), std::optional(10_ns));
    EXPECT_TRUE(memory.fits(100_B, 10_ns));
    EXPECT_EQ(memory.next_release(), std::nullopt);
}

TEST(StagingMemory, ReleasesInTheOrderOfTimeWhateverTheOrderOfTheCalls) {
    StagingMemory memory(100_B);
    memory.take(100_B, 0_ns, 0_ps);
    memory.release(30_B, 20_ns);
    memory.release(70_B, 10_ns);
    memory.release(0_B, 1_ns);
    EXPECT_EQ(memory.next_release(), std::optional(10_ns));
    EXPECT_FALSE(memory.fits(71_B, 10_ns));
    EXPECT_TRUE(memory.fits(70_B, 10_ns));
    EXPECT_TRUE(memory.fits(100_B, 20_ns));
}

TEST(StagingMemory, CountsItsPeakTheWaitsAndWhatIsBeyondItsCapacity) {
    StagingMemory memory(100_B);
    memory.take(80_B, 0_ns, 3_ns);
    memory.release(50_B, 5_ns);
    memory.take(60_B, 5_ns, 4_ns);   // 30 are left
    EXPECT_EQ(memory.use().peak, 90_B);
    EXPECT_EQ(memory.use().overflow, 0_B);
    memory.take(40_B, 6_ns, 0_ps);   // 130: 30 beyond
    memory.take(20_B, 6_ns, 0_ps);   // 150: all 20 beyond
    EXPECT_EQ(memory.use().peak, 150_B);
    EXPECT_EQ(memory.use().overflow, 50_B);
    EXPECT_EQ(memory.use().waited, 7_ns);
    memory.begin();
    EXPECT_EQ(memory.use().peak, 0_B);
    EXPECT_TRUE(memory.fits(100_B, 0_ns));
    EXPECT_EQ(memory.next_release(), std::nullopt);
}

}   // namespace
}   // namespace oscar::staging_memory_test
