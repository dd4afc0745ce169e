#include "sim/files/ending_signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "tests/files/ignored_signals.hpp"

namespace oscar::ending_signals_test {
namespace {

int ends[2];   // of a pipe, read and write

template <char name>
void tell() {
    static const char text = name;
    static_cast<void>(!::write(ends[1], &text, 1));
}

/// What `act` writes in a process that then receives `signal`, and how that ends.
template <class Act>
std::pair<std::string, int> after(int signal, Act act) {
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        testing::stop_ignoring_signals();
        act();
        ::raise(signal);
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ::close(ends[1]);
    std::string told(16, ' ');
    told.resize(static_cast<std::size_t>(::read(ends[0], told.data(), told.size())));
    ::close(ends[0]);
    return {told, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status)};
}

TEST(EndingSignals, CallWhatIsToTidyUpInOrderAndEachOnceAndStillEndTheProgram) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const auto [told, status] = after(signal, [] {
            for (void (*tidy)() : {tell<'b'>, tell<'a'>, tell<'b'>}) before_ending(tidy);
        });
        EXPECT_EQ(told, "ba");
        EXPECT_EQ(status, 128 + signal);
    }
}

TEST(EndingSignals, StayIgnoredWhereTheyWere) {
    const auto [told, status] = after(SIGHUP, [] {
        ::signal(SIGHUP, SIG_IGN);
        before_ending(tell<'a'>);
    });
    EXPECT_EQ(told, "");
    EXPECT_EQ(status, 0);
}

TEST(EndingSignals, TakeFourActionsAtMost) {
    const auto [told, status] = after(SIGTERM, [] {
        for (void (*tidy)() : {tell<'a'>, tell<'b'>, tell<'c'>, tell<'d'>}) before_ending(tidy);
        EXPECT_THROW(before_ending(tell<'e'>), std::logic_error);
    });
    EXPECT_EQ(told, "abcd");
    EXPECT_EQ(status, 128 + SIGTERM);
}

bool is_blocked(int signal) {
    sigset_t blocked;
    ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
    return ::sigismember(&blocked, signal) == 1;
}

TEST(EndingSignals, AreBlockedForAThreadThatIsStartedMeanwhileAndForItsStarterNoLongerThanThat) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        bool in_thread = false;
        std::thread thread;
        {
            const BlockedEndingSignals blocked;
            thread = std::thread([&] { in_thread = is_blocked(signal); });
            EXPECT_TRUE(is_blocked(signal));
        }
        thread.join();
        EXPECT_TRUE(in_thread);
        EXPECT_FALSE(is_blocked(signal));
    }
}

TEST(EndingSignals, OfFailedLoadsAreNotBlocked) {
    const BlockedEndingSignals blocked;
    EXPECT_FALSE(is_blocked(SIGBUS));
}

}   // namespace
}   // namespace oscar::ending_signals_test
