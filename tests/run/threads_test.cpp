#include "sim/run/threads.hpp"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <latch>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/config/error.hpp"
#include "sim/trace/mapped_file.hpp"
#include "sim/trace/mappings.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::threads_test {
namespace {

using ::testing::Each;

/// What the error of the input says that a loop ends in.
std::string error_of(const ParallelFor& parallel, std::size_t count, const std::function<void(std::size_t)>& body) {
    try {
        parallel(count, body);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Threads, CallTheBodyOnceForEachIndex) {
    for (const std::uint32_t count : {1u, 2u, 3u, 8u}) {
        Threads threads(count);
        const ParallelFor parallel = threads.parallel_for();
        for (const std::size_t size : {0u, 1u, 2u, 7u, 1000u}) {
            std::vector<int> calls(size);
            parallel(size, [&](std::size_t i) { ++calls[i]; });
            EXPECT_THAT(calls, Each(1)) << count << " threads, " << size << " bodies";
        }
    }
}

TEST(Threads, RunAsManyBodiesAtOnceAsThereAreThreads) {
    Threads threads(3);
    std::latch all(3);   // nobody passes before three have come
    std::vector<std::thread::id> ids(3);
    threads.parallel_for()(3, [&](std::size_t i) {
        all.arrive_and_wait();
        ids[i] = std::this_thread::get_id();
    });
    EXPECT_NE(ids[0], ids[1]);
    EXPECT_NE(ids[1], ids[2]);
    EXPECT_NE(ids[0], ids[2]);
}

TEST(Threads, OneThreadIsTheCallers) {
    Threads threads(1);
    std::vector<std::thread::id> ids(5);
    threads.parallel_for()(5, [&](std::size_t i) { ids[i] = std::this_thread::get_id(); });
    EXPECT_THAT(ids, Each(std::this_thread::get_id()));
}

TEST(Threads, WhatABodyWroteIsThereAfterTheLoop) {
    Threads threads(4);
    const ParallelFor parallel = threads.parallel_for();
    std::vector<std::uint64_t> sums(64);
    for (std::uint64_t round = 1; round <= 100; ++round)
        parallel(sums.size(), [&](std::size_t i) { sums[i] += round; });
    EXPECT_THAT(sums, Each(5050u));
}

TEST(Threads, FailWithTheErrorOfTheLowestIndexForAnyNumberOfThreads) {
    const auto body = [](std::size_t i) {
        if (i == 5) throw InputError("trace.npy: row 5");
        if (i > 5) throw std::runtime_error("row " + std::to_string(i));
    };
    for (const std::uint32_t count : {1u, 2u, 3u, 8u}) {
        Threads threads(count);
        EXPECT_EQ(error_of(threads.parallel_for(), 16, body), "trace.npy: row 5") << count << " threads";
    }
}

TEST(Threads, GoOnAfterAFailure) {
    Threads threads(3);
    const ParallelFor parallel = threads.parallel_for();
    EXPECT_THROW(parallel(8, [](std::size_t) { throw std::runtime_error("once"); }), std::runtime_error);
    std::vector<int> calls(8);
    parallel(calls.size(), [&](std::size_t i) { ++calls[i]; });
    EXPECT_THAT(calls, Each(1));
}

/// Whether `signal` is blocked in each of `count` threads at work; the caller's is among them.
std::vector<bool> blocked_in_each(Threads& threads, std::size_t count, int signal) {
    std::latch all(static_cast<std::ptrdiff_t>(count));   // nobody takes a second body
    std::vector<int> blocked(count);
    const std::thread::id caller = std::this_thread::get_id();
    threads.parallel_for()(count, [&](std::size_t i) {
        all.arrive_and_wait();
        sigset_t mask;
        ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
        blocked[i] = std::this_thread::get_id() == caller ? 2 : ::sigismember(&mask, signal);
    });
    std::ranges::sort(blocked);
    EXPECT_EQ(blocked.back(), 2);
    return {blocked.begin(), blocked.end() - 1};
}

TEST(Threads, LeaveSignalsThatEndTheProgramToItsMainThread) {
    Threads threads(3);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        EXPECT_THAT(blocked_in_each(threads, 3, signal), Each(true)) << signal;
    EXPECT_THAT(blocked_in_each(threads, 3, SIGBUS), Each(false));
}

/// Four threads, as `--threads 4` has them, read a file that loses its bytes meanwhile; the caller reads none.
void read_what_is_gone_in_the_pool(const std::filesystem::path& path) {
    end_if_a_mapped_file_shrinks(2);
    const MappedFile file(path);
    std::filesystem::resize_file(path, 10);
    Threads threads(4);
    const std::thread::id caller = std::this_thread::get_id();
    std::latch all(4);
    threads.parallel_for()(4, [&](std::size_t) {
        all.arrive_and_wait();
        if (std::this_thread::get_id() == caller) return;
        const volatile std::byte last = file.bytes().back();
        static_cast<void>(last);
    });
}

TEST(Threads, EndWithOneLineThatNamesAMappedFileWhichBecameShorter) {
    const testing::TemporaryFolder folder;
    const auto file = folder.write("a.npy", std::string(100'000, 'x'));
    EXPECT_EXIT(read_what_is_gone_in_the_pool(file), ::testing::ExitedWithCode(2),
                "^oscar-sim: [^\n]*a.npy: became shorter while it was read; run again when nothing writes to it\n$");
}

}   // namespace
}   // namespace oscar::threads_test
