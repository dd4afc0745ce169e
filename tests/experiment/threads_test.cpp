#include "sim/experiment/threads.hpp"

#include <gmock/gmock.h>

#include <latch>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "sim/config/error.hpp"
#include "sim/experiment/exit_status.hpp"

namespace oscar {
namespace {

using ::testing::Each;

/// The failure of the program that a loop ends in, as main sees it.
Failure failure_of(const ParallelFor& parallel, std::size_t count, const std::function<void(std::size_t)>& body) {
    try {
        parallel(count, body);
    } catch (...) {
        return failure_in_flight();
    }
    return {0, ""};
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
        const Failure failure = failure_of(threads.parallel_for(), 16, body);
        EXPECT_EQ(failure.what, "trace.npy: row 5") << count << " threads";
        EXPECT_EQ(failure.status, wrong_input) << count << " threads";
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

}   // namespace
}   // namespace oscar
