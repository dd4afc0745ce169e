#include "sim/sweep/progress.hpp"

#include <gtest/gtest.h>

namespace oscar::progress_test {
namespace {

TEST(SweepProgress, CountsPointsThatHaveAResultAndThoseThatFailed) {
    EXPECT_EQ(progress_text({40, 0, 0, 0}, 5), "0/40 points");
    EXPECT_EQ(progress_text({40, 11, 1, 0}, 5), "12/40 points, 1 failed");
    EXPECT_EQ(progress_text({40, 40, 0, 7}, 5), "40/40 points");
}

TEST(SweepProgress, EstimatesWhatIsLeftFromWhatThisRunHasComputed) {
    // 5 points in 50 s: 10 s each; 40 - 20 remain: 200 s.
    EXPECT_EQ(progress_text({40, 20, 0, 5}, 50), "20/40 points, about 3 min 20 s left");
    EXPECT_EQ(progress_text({40, 18, 2, 5}, 50), "20/40 points, 2 failed, about 3 min 20 s left");
}

/// What a display writes to a stream that is no terminal.
template <class Use>
std::string shown(Use use) {
    std::FILE* file = std::tmpfile();
    {
        ProgressDisplay display(file);
        use(display);
    }
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
    std::fclose(file);
    return text;
}

TEST(SweepProgress, IsALinePerPointWhereThereIsNoTerminal) {
    EXPECT_EQ(shown([](ProgressDisplay& display) {
                  display.show({2, 0, 0, 0});
                  display.ended({2, 1, 0, 1}, "point 0 (ranks=2)", false);
                  display.ended({2, 1, 1, 2}, "point 1 (ranks=4) failed: no", true);
              }),
              "1/2 points, about 0 s left: point 0 (ranks=2)\n2/2 points, 1 failed: point 1 (ranks=4) failed: no\n");
}

}   // namespace
}   // namespace oscar::progress_test
