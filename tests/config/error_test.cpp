// What of a text reaches a terminal.
#include "sim/config/error.hpp"

#include <gtest/gtest.h>

namespace oscar::error_test {
namespace {

TEST(Printable, EscapesTheControlCharactersOfAsciiAndTheirNeighboursNot) {
    EXPECT_EQ(printable(std::string_view("\0a\x1f", 3)), "\\x00a\\x1f");
    EXPECT_EQ(printable("a\nb"), "a\\nb");
    EXPECT_EQ(printable(" ~\x7f"), " ~\\x7f");
    EXPECT_TRUE(is_printable(" ~"));
    EXPECT_FALSE(is_printable("\x1b[31m"));
}

TEST(Printable, EscapesThoseOfUnicodeFromU0080ToU009FAndNoLetter) {
    EXPECT_EQ(printable("\xc2\x80\xc2\x9f\xc2\xa0\xc3\x80"), "\\xc2\\x80\\xc2\\x9f\xc2\xa0\xc3\x80");
    EXPECT_EQ(printable("caf\xe9"), "caf\\xe9") << "what is no UTF-8";
}

}   // namespace
}   // namespace oscar::error_test
