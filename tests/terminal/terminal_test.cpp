#include "sim/terminal/terminal.hpp"

#include <cstdlib>

#include "tests/terminal/pseudo_terminal.hpp"

namespace oscar::terminal_test {
namespace {

struct Terminal : ::testing::Test {
    Terminal() {
        ::unsetenv("COLUMNS");
        ::unsetenv("NO_COLOR");
        ::setenv("TERM", "xterm", 1);
    }
    test::PseudoTerminal terminal{100};
    std::FILE* file = std::tmpfile();
    ~Terminal() override { std::fclose(file); }
};

TEST_F(Terminal, IsAsWideAsItSaysAndAFileIsAsWideAsAUsualOne) {
    EXPECT_EQ(width_of(terminal.stream()), 100U);
    EXPECT_EQ(width_of(file), 80U);
    const test::PseudoTerminal unknown(0);
    EXPECT_EQ(width_of(unknown.stream()), 80U);
}

TEST_F(Terminal, IsAsWideAsColumnsSaysIfThatIsANumber) {
    ::setenv("COLUMNS", "132", 1);
    EXPECT_EQ(width_of(terminal.stream()), 132U);
    EXPECT_EQ(width_of(file), 132U);
    for (const char* value : {"", "0", "wide", "80x", "-5"}) {
        ::setenv("COLUMNS", value, 1);
        EXPECT_EQ(width_of(terminal.stream()), 100U) << value;
    }
}

TEST_F(Terminal, TakesColoursUnlessTheUserOrItsKindSaysNo) {
    EXPECT_TRUE(takes_colours(terminal.stream()));
    EXPECT_FALSE(takes_colours(file));
    ::setenv("NO_COLOR", "", 1);   // as if it were not set
    EXPECT_TRUE(takes_colours(terminal.stream()));
    ::setenv("NO_COLOR", "1", 1);
    EXPECT_FALSE(takes_colours(terminal.stream()));
    ::unsetenv("NO_COLOR");
    ::setenv("TERM", "dumb", 1);
    EXPECT_FALSE(takes_colours(terminal.stream()));
}

}   // namespace
}   // namespace oscar::terminal_test
