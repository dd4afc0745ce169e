#include "models/network/transport/frame.hpp"

#include <gtest/gtest.h>

namespace oscar {
namespace {

Frame numbered(std::uint64_t number) {
    Frame frame;
    frame.number = number;
    return frame;
}

TEST(FrameTable, KeepsEachFrameUnderATagOfItsOwn) {
    FrameTable table;
    const std::uint64_t a = table.add(numbered(10)), b = table.add(numbered(11));
    EXPECT_NE(a, b);
    EXPECT_EQ(table[a].number, 10u);
    EXPECT_EQ(table[b].number, 11u);
    table[b].marked = true;
    EXPECT_TRUE(table.retire(b).marked);
    EXPECT_FALSE(table.retire(a).marked);
}

TEST(FrameTable, UsesTheTagsOfRetiredFramesAgain) {
    FrameTable table;
    const std::uint64_t a = table.add(numbered(1)), b = table.add(numbered(2));
    EXPECT_EQ(table.retire(a).number, 1u);
    EXPECT_EQ(table.add(numbered(3)), a);
    EXPECT_EQ(table[a].number, 3u);
    EXPECT_EQ(table[b].number, 2u);
}

}   // namespace
}   // namespace oscar
