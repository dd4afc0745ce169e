#include "sim/terminal/progress.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/terminal/pseudo_terminal.hpp"

namespace oscar::progress_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(Progress, WritesDurationsInTwoUnitsAtMost) {
    EXPECT_EQ(duration_text(0.4), "0 s");
    EXPECT_EQ(duration_text(59.4), "59 s");
    EXPECT_EQ(duration_text(59.6), "1 min 0 s");
    EXPECT_EQ(duration_text(3599), "59 min 59 s");
    EXPECT_EQ(duration_text(3600), "1 h 0 min");
    EXPECT_EQ(duration_text(90'000), "25 h 0 min");
}

TEST(Progress, DrawsTheShareAsABarThatIsFullAtTheEndOnly) {
    EXPECT_EQ(progress_bar(0, 8), "[--------]");
    EXPECT_EQ(progress_bar(0.375, 8), "[###-----]");
    EXPECT_EQ(progress_bar(1. / 3, 8), "[##------]");
    EXPECT_EQ(progress_bar(0.999, 8), "[#######-]");
    EXPECT_EQ(progress_bar(1, 8), "[########]");
    EXPECT_EQ(progress_bar(1.5, 8), "[########]");
}

TEST(Progress, EstimatesWhatIsLeftFromWhatIsDone) {
    EXPECT_EQ(left_text(0.25, 0.75, 10), ", about 30 s left");
    EXPECT_EQ(left_text(5, 20, 50), ", about 3 min 20 s left");   // 5 points in 50 s
    EXPECT_EQ(left_text(0, 1, 10), "");
    EXPECT_EQ(left_text(1, 0, 10), "");
}

TEST(ProgressLine, ShowsBarShareAndTimeLeftAndIsClearedAtItsEnd) {
    const test::PseudoTerminal terminal(80);
    {
        ProgressLine line(terminal.stream());
        line("asc", 0.25);
        EXPECT_EQ(terminal.written(), "\r\033[K[######------------------] 25 %, asc, about 0 s left");
    }
    EXPECT_EQ(terminal.written(), "\r\033[K");
}

/// The text of a file to which `write` has written.
std::string text_of(const std::function<void(std::FILE*)>& write) {
    std::FILE* const file = std::tmpfile();
    write(file);
    std::rewind(file);
    std::string text;
    for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
    std::fclose(file);
    return text;
}

std::int64_t size_of(std::FILE* file) {
    struct stat status {};
    EXPECT_EQ(::fstat(::fileno(file), &status), 0);
    return status.st_size;
}

TEST(ProgressReminder, WritesALineForEachIntervalThoughNothingIsReported) {
    const std::string text = text_of([](std::FILE* file) {
        ProgressReminder reminder(file, std::chrono::milliseconds(20));
        reminder("asc", 0.25);
        for (const std::int64_t line = 70; size_of(file) <= line;)   // no line is so long: two have begun
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    EXPECT_THAT(text, ::testing::MatchesRegex("(oscar-sim: after [0-9]+ s: 25 %, asc, about [0-9]+ s left\n)+"));
    EXPECT_GE(std::count(text.begin(), text.end(), '\n'), 2);
}

/// Of each thread of this process: the signals that it blocks, as the kernel shows them.
std::vector<std::uint64_t> blocked_signals() {
    std::vector<std::uint64_t> result;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(thread.path() / "status");
        std::string word;
        while (status >> word && word != "SigBlk:") {
        }
        result.emplace_back();
        status >> std::hex >> result.back();
    }
    return result;
}

TEST(ProgressReminder, LeavesSignalsThatEndTheProgramToItsMainThread) {
    const auto before = blocked_signals();
    std::vector<std::uint64_t> during;
    text_of([&](std::FILE* file) {
        const ProgressReminder reminder(file);
        const auto is_starting = [](std::uint64_t blocked) { return (blocked >> (SIGUSR1 - 1) & 1) != 0; };
        do during = blocked_signals();   // while a thread starts, it blocks all signals
        while (std::ranges::any_of(during, is_starting));
    });
    ASSERT_EQ(before.size(), 1u);
    ASSERT_EQ(during.size(), 2u);
    ASSERT_THAT(during, ::testing::Contains(before[0]));   // the main thread
    const std::uint64_t reminders = during[during[0] == before[0] ? 1 : 0];
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) EXPECT_TRUE(reminders >> (signal - 1) & 1) << signal;
}

TEST(ProgressReminder, IsSilentInShortWorkAndEndsWithIt) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(text_of([](std::FILE* file) { ProgressReminder reminder(file); }), "");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(1));
}

TEST(ProgressLine, IsWrittenTenTimesASecondAtMost) {
    const test::PseudoTerminal terminal(80);
    ProgressLine line(terminal.stream());
    for (const char* what : {"first", "second", "third"}) line(what, 0.5);
    const std::string at_once = terminal.written();
    EXPECT_THAT(at_once, HasSubstr("first"));
    EXPECT_THAT(at_once, Not(HasSubstr("second")));
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    line("fourth", 0.5);
    EXPECT_THAT(terminal.written(), HasSubstr("fourth"));
}

TEST(ProgressLine, IsCutToTheWidthOfTheTerminal) {
    ::unsetenv("COLUMNS");
    const test::PseudoTerminal terminal(40);
    ProgressLine line(terminal.stream());
    line.show("what is done has a very long name", 0);
    EXPECT_EQ(terminal.written(), "\r\033[K[------------------------] what is done");
}

TEST(ProgressLine, LeavesLinesThatAreSaid) {
    const test::PseudoTerminal terminal(80);
    ProgressLine line(terminal.stream());
    line.show("working", 0);
    line.say("point 3 failed");
    EXPECT_THAT(terminal.written(), EndsWith("working\r\033[Kpoint 3 failed\n"));
}

TEST(ProgressLine, IsSilentWhereThereIsNoTerminal) {
    std::FILE* file = std::tmpfile();
    {
        ProgressLine line(file);
        line("asc", 0.25);
        line.say("kept");
    }
    EXPECT_EQ(std::ftell(file), 5);   // "kept" and the end of its line
    std::fclose(file);
}

TEST(ProgressLine, IsClearedWhenASignalEndsTheProgram) {
    const test::PseudoTerminal terminal(80);
    const pid_t child = ::fork();
    if (child == 0) {
        ProgressLine line(terminal.stream());
        line("asc", 0.5);
        ::raise(SIGINT);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(WTERMSIG(status), SIGINT);
    const std::string written = terminal.written();
    EXPECT_THAT(written, StartsWith("\r\033[K[####"));
    EXPECT_THAT(written, EndsWith("\r\033[K"));
}

}   // namespace
}   // namespace oscar::progress_test
