#include "sim/run/exit_status.hpp"

#include <gtest/gtest.h>

#include <new>

#include "models/network/grid/router_network.hpp"

namespace oscar::exit_status_test {
namespace {

TEST(ExitStatus, OfADeadlockOfRoutersIsThatOfWhatCannotFinish) {
    try {
        throw RouterDeadlock("cycle of waits: a waits for a");
    } catch (...) {
        const Failure failure = failure_in_flight();
        EXPECT_EQ(failure.status, 3);
        EXPECT_EQ(failure.what, "cycle of waits: a waits for a");
    }
}

TEST(ExitStatus, OfAnAllocationThatFailsIsThatOfOtherFailuresWithASentenceOfAdvice) {
    try {
        throw std::bad_alloc();
    } catch (...) {
        const Failure failure = failure_in_flight();
        EXPECT_EQ(failure.status, 1);
        EXPECT_EQ(failure.what.substr(0, 49), "the memory is used up; choose fewer ranks or valu");
    }
}

TEST(ExitStatus, OfAStackThatFindsNoMemoryIsThatOfMemoryThatIsUsedUp) {
    try {
        throw std::runtime_error(
            "Error: (E518) stack setup failed: failed to allocate stack memory\nIn file: x.cpp:273");
    } catch (...) {
        const Failure failure = failure_in_flight();
        EXPECT_EQ(failure.status, 1);
        EXPECT_EQ(failure.what.substr(0, 49), "the memory is used up; choose fewer ranks or valu");
    }
}

}   // namespace
}   // namespace oscar::exit_status_test
