#include "models/core/indexed_vector.hpp"

#include <gtest/gtest.h>

namespace oscar::indexed_vector_test {
namespace {

using Names = IndexedVector<Rank, char>;

template <class I>
concept FindsNames = requires(Names names, I index) {
    names[index];
};
static_assert(FindsNames<Rank> && !FindsNames<ChunkId> && !FindsNames<std::size_t>);

TEST(IndexedVector, FindsItsElementsByTheirIndicesInOrder) {
    const Names names{'a', 'b', 'c'};
    std::string read;
    for (const Rank rank : names.indices()) read += names[rank] + std::to_string(rank.value);
    EXPECT_EQ(read, "a0b1c2");
}

TEST(IndexedVector, SaysWhichIndexTheNextElementWillHave) {
    Names names(2, 'x');
    const Rank third = names.next();
    names.push_back('y');
    EXPECT_EQ(names[third], 'y');
    names[third] = 'z';
    EXPECT_EQ(names.back(), 'z');
}

TEST(IndexedVector, HoldsBooleansAndNothing) {
    IndexedVector<Rank, bool> marks(2);
    marks[Rank{1}] = true;
    EXPECT_FALSE(std::as_const(marks)[Rank{0}]);
    EXPECT_TRUE(std::as_const(marks)[Rank{1}]);
    for (const Rank rank : (IndexedVector<Rank, bool>{}).indices()) FAIL() << rank.value;
}

}   // namespace
}   // namespace oscar::indexed_vector_test
