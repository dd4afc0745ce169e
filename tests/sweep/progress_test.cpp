#include "sim/sweep/progress.hpp"

#include <gmock/gmock.h>

#include <thread>

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
std::string shown(Use use, bool quiet = false, std::chrono::milliseconds interval = std::chrono::minutes(1)) {
    std::FILE* file = std::tmpfile();
    {
        ProgressDisplay display(file, quiet, interval);
        use(display);
    }
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
    std::fclose(file);
    return text;
}

void show_two_points(ProgressDisplay& display) {
    display.show({2, 0, 0, 0});
    display.ended({2, 1, 0, 1}, "point 0 (ranks=2)", false);
    display.ended({2, 1, 1, 2}, "point 1 (ranks=4) failed: no", true);
}

TEST(SweepProgress, IsNoLinePerPointWhereThereIsNoTerminalButOneOfEachFailure) {
    EXPECT_EQ(shown(show_two_points), "point 1 (ranks=4) failed: no\n");
}

TEST(SweepProgress, IsALineAtTheEndOfEachIntervalWhereThereIsNoTerminal) {
    // 20 of 40 points had a result before; 5 of the other 20 are computed: 25 % of this run.
    const std::string text = shown(
        [](ProgressDisplay& display) {
            display.show({40, 25, 0, 5});
            std::this_thread::sleep_for(std::chrono::milliseconds(800));
        },
        false, std::chrono::milliseconds(100));
    EXPECT_THAT(text,
                ::testing::MatchesRegex("(oscar-sim: after [0-9]+ s: 25 %, 25/40 points, about [0-9]+ s left\n)+"));
}

TEST(SweepProgress, IsNothingIfQuiet) { EXPECT_EQ(shown(show_two_points, true), ""); }

}   // namespace
}   // namespace oscar::progress_test
