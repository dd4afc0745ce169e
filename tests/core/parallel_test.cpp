#include "models/core/parallel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace oscar::parallel_test {
namespace {

TEST(SerialFor, CallsTheBodyOnceForEachIndexInOrder) {
    std::vector<std::size_t> calls;
    serial_for(4, [&](std::size_t i) { calls.push_back(i); });
    EXPECT_EQ(calls, (std::vector<std::size_t>{0, 1, 2, 3}));
    serial_for(0, [&](std::size_t i) { calls.push_back(i); });
    EXPECT_EQ(calls.size(), 4u);
}

TEST(SerialFor, ThrowsWhatTheFirstBodyThrew) {
    const auto body = [](std::size_t i) {
        if (i > 0) throw std::runtime_error("body " + std::to_string(i));
    };
    try {
        serial_for(3, body);
        FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "body 1");
    }
}

}   // namespace
}   // namespace oscar::parallel_test
