// The seeds of the fuzzer of altered messages, and what becomes of them when bytes change; the fuzzer goes on from
// there.
#include "tests/collective/fuzz/altered_message.hpp"

#include <gtest/gtest.h>

#include <random>

namespace oscar::altered_message_test {
namespace {

using Bytes8 = std::vector<std::byte>;

/// f(link, its sound input).
template <class F>
void for_each_seed(F f) {
    ASSERT_GT(test::altered_message_links(), 40u);
    ASSERT_LE(test::altered_message_links(), 256u);   // one byte chooses among them
    for (std::size_t link = 0; link < test::altered_message_links(); ++link) {
        SCOPED_TRACE(link);
        f(test::sound_input(link));
    }
}

TEST(AlteredMessage, IsAcceptedWhereNothingWasAltered) {
    for_each_seed([](const Bytes8& seed) { EXPECT_TRUE(test::is_accepted(seed)); });
}

TEST(AlteredMessage, IsRefusedWhereItEndsEarly) {
    for_each_seed([](const Bytes8& seed) {
        for (std::size_t size = 0; size < seed.size(); ++size)
            ASSERT_FALSE(test::is_accepted(std::span(seed).first(size))) << size;
    });
}

TEST(AlteredMessage, IsDecodedOrRefusedWhateverBitOfItsFirstBytesChanges) {
    for_each_seed([](const Bytes8& seed) {
        for (std::size_t bit = 0; bit < 8 * 24; ++bit) {
            Bytes8 altered = seed;
            altered[1 + bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
            ASSERT_NO_THROW(test::is_accepted(altered)) << "bit " << bit;
        }
    });
}

TEST(AlteredMessage, IsDecodedOrRefusedWhateverBytesChange) {
    std::mt19937_64 random(1);
    for_each_seed([&](const Bytes8& seed) {
        for (int round = 0; round < 50; ++round) {
            Bytes8 altered = seed;
            for (std::uint64_t changes = 1 + random() % 4; changes > 0; --changes)
                altered[1 + random() % (altered.size() - 1)] = static_cast<std::byte>(random());
            if (random() % 4 == 0) altered.resize(altered.size() + random() % 20);
            ASSERT_NO_THROW(test::is_accepted(altered)) << "round " << round;
        }
    });
}

}   // namespace
}   // namespace oscar::altered_message_test
