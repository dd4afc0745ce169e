// Child processes, for which a task is a function.
#include "sim/sweep/processes/workers.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

#include "models/job/job.hpp"
#include "sim/config/error.hpp"

namespace oscar::workers_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::map<std::size_t, TaskEnd> run(std::size_t count, std::size_t workers, const RunTask& task) {
    const Interrupt interrupt;
    std::map<std::size_t, TaskEnd> ends;
    EXPECT_TRUE(run_tasks(
        count, workers, task, [&](std::size_t i, const TaskEnd& end) { EXPECT_TRUE(ends.emplace(i, end).second); },
        interrupt));
    return ends;
}

TaskEnd run_one(const std::function<int(std::string&)>& task) {
    return run(1, 1, [&](std::size_t, std::string& result) { return task(result); }).at(0);
}

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

TEST(Workers, GiveTheResultOfEveryTaskOnceWhateverTheirNumber) {
    for (const std::size_t workers : {1u, 2u, 7u, 40u}) {
        const auto ends = run(20, workers, [](std::size_t i, std::string& result) {
            result = "result " + std::to_string(i);
            return 0;
        });
        ASSERT_EQ(ends.size(), 20u);
        for (const auto& [i, end] : ends) {
            EXPECT_EQ(end.status, 0);
            EXPECT_EQ(end.result, "result " + std::to_string(i));
        }
    }
}

TEST(Workers, HaveNothingToDoWithoutTasks) { EXPECT_TRUE(run(0, 2, {}).empty()); }

TEST(Workers, CarryResultsThatNoPipeHoldsAtOnce) {
    const std::size_t size = 3'000'000;   // a pipe holds 64 KiB
    EXPECT_EQ(run_one([&](std::string& result) {
                  result.assign(size, 'x');
                  return 0;
              }).result,
              std::string(size, 'x'));
}

TEST(Workers, TellStatusAndLastLineOfATaskThatFails) {
    const TaskEnd end = run_one([](std::string&) {
        std::fputs("first\nlast\n", stderr);
        return 7;
    });
    EXPECT_EQ(end.status, 7);
    EXPECT_EQ(end.error, "last");
}

TEST(Workers, TellAllThatAFailingTaskGives) {
    const TaskEnd end = run_one([](std::string& result) {
        std::fputs("printed\n", stderr);
        result = "first\nlast";
        return 7;
    });
    EXPECT_EQ(end.error, "first\nlast");
    EXPECT_EQ(end.result, "");
}

TEST(Workers, GiveExceptionsTheStatusOfTheProgram) {
    const TaskEnd wrong = run_one([](std::string&) -> int { throw InputError("a.yaml:1:1: wrong"); });
    EXPECT_EQ(wrong.status, 2);
    EXPECT_EQ(wrong.error, "a.yaml:1:1: wrong");
    EXPECT_EQ(run_one([](std::string&) -> int { throw Deadlock("stuck"); }).status, 3);
    EXPECT_EQ(run_one([](std::string&) -> int { throw std::runtime_error("else"); }).status, 1);
}

TEST(Workers, NameTheSignalThatKilledATask) {
    const TaskEnd end = run_one([](std::string&) {
        std::fputs("before the end\n", stderr);
        return raise(SIGKILL);
    });
    EXPECT_EQ(end.status, 128 + SIGKILL);
    EXPECT_EQ(end.error, "killed by signal 9 (Killed): before the end");
}

TEST(Workers, OutliveACrash) {
    const auto ends = run(4, 2, [](std::size_t i, std::string& result) {
        if (i == 1) raise(SIGSEGV);
        result = "ok";
        return 0;
    });
    EXPECT_EQ(ends.size(), 4u);
    EXPECT_EQ(ends.at(3).result, "ok");
    EXPECT_NE(ends.at(1).status, 0);
}

TEST(Workers, KeepOnlyTheEndOfMuchErrorOutput) {
    const TaskEnd end = run_one([](std::string&) {
        for (int i = 0; i < 200'000; ++i) std::fprintf(stderr, "line %d\n", i);
        return 1;
    });
    EXPECT_EQ(end.error, "line 199999");
}

TEST(Workers, PrintNothingOfWhatATaskPrints) {
    ::testing::internal::CaptureStdout();
    run_one([](std::string&) { return std::puts("to standard output") < 0; });
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(Workers, RunAsManyAtATimeAsTheyAreAndNoMore) {
    const auto concurrent = [](std::size_t workers) {   // the most tasks that saw each other's file
        std::string folder = ::testing::TempDir() + "/oscar-workers-XXXXXX";
        if (::mkdtemp(folder.data()) == nullptr) return std::size_t{0};
        std::size_t most = 0;
        for (const auto& [i, end] : run(6, workers, [&](std::size_t i, std::string&result) {
                 const std::filesystem::path mine = folder + "/" + std::to_string(i);
                 std::ofstream(mine) << "";
                 sleep_ms(60);
                 const auto all = std::filesystem::directory_iterator(folder);
                 result = std::to_string(std::distance(begin(all), end(all)));
                 std::filesystem::remove(mine);
                 return 0;
             }))
            most = std::max<std::size_t>(most, std::stoul(end.result));
        std::filesystem::remove_all(folder);
        return most;
    };
    EXPECT_EQ(concurrent(1), 1u);
    EXPECT_EQ(concurrent(3), 3u);
}

TEST(Workers, AreKilledUponASignalWhichTheCallerThenSees) {
    const Interrupt interrupt;
    std::size_t ended = 0;
    const auto begin = std::chrono::steady_clock::now();
    const bool all = run_tasks(
        8, 2,
        [](std::size_t i, std::string&) {
            if (i == 0) kill(getppid(), SIGINT);
            sleep_ms(i == 0 ? 0 : 60'000);
            return 0;
        },
        [&](std::size_t, const TaskEnd&) { ++ended; }, interrupt);
    EXPECT_FALSE(all);
    EXPECT_EQ(interrupt.signal(), SIGINT);
    EXPECT_LE(ended, 1u);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);   // no child is left
}

TEST(Workers, AreDeafToSignalsThatGoToAllProcessesOfAJob) {
    for (const int signal : {SIGINT, SIGTERM})
        EXPECT_EQ(run_one([signal](std::string& result) {
                      raise(signal);
                      result = "went on";
                      return 0;
                  }).result,
                  "went on");
}

TEST(Workers, AreKilledWhenTheCallerThrows) {
    const Interrupt interrupt;
    const auto task = [](std::size_t i, std::string&) {
        sleep_ms(i == 0 ? 0 : 60'000);
        return 0;
    };
    const auto ended = [](std::size_t, const TaskEnd&) { throw std::runtime_error("disk full"); };
    EXPECT_THROW(run_tasks(2, 2, task, ended, interrupt), std::runtime_error);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

/// A process with a worker that sleeps; the worker's own number is written to `end`.
pid_t process_with_worker(int end) {
    const pid_t process = fork();
    if (process != 0) return process;
    const Interrupt interrupt;
    const auto task = [end](std::size_t, std::string&) {
        const pid_t self = getpid();
        const bool told = write(end, &self, sizeof self) == sizeof self;
        sleep_ms(60'000);
        return told ? 0 : 1;
    };
    run_tasks(
        1, 1, task, [](std::size_t, const TaskEnd&) {}, interrupt);
    _exit(0);
}

TEST(Workers, DoNotOutliveACallerThatIsKilled) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t process = process_with_worker(ends[1]);
    close(ends[1]);
    pid_t worker = 0;
    ASSERT_EQ(::read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    char nothing;
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(::read(ends[0], &nothing, 1), 0);   // the worker held the other end open
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    close(ends[0]);
}

TEST(Interrupt, EndsNothingWhileItLivesAndEverythingAfterwards) {
    {
        const Interrupt interrupt;
        EXPECT_EQ(interrupt.signal(), 0);
        raise(SIGTERM);
        EXPECT_EQ(interrupt.signal(), SIGTERM);   // without any waiting
    }
    EXPECT_EXIT(raise(SIGTERM), ::testing::KilledBySignal(SIGTERM), "");
}

}   // namespace
}   // namespace oscar::workers_test
