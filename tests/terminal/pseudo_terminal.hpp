// A terminal of a chosen width, whose screen is what was written to it.
#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace oscar::test {

/// Skips the tests where the system has no pseudo-terminals.
class NeedsPseudoTerminals : public testing::Environment {
    void SetUp() override {
        int screen = -1, program = -1;
        if (::openpty(&screen, &program, nullptr, nullptr, nullptr) != 0)
            GTEST_SKIP() << "no pseudo-terminals here; mount /dev/pts";
        ::close(screen);
        ::close(program);
    }
};
inline testing::Environment* const needs_pseudo_terminals = testing::AddGlobalTestEnvironment(new NeedsPseudoTerminals);

class PseudoTerminal {
public:
    explicit PseudoTerminal(unsigned short columns) {
        winsize size{};
        size.ws_col = columns;
        int program = -1;
        termios raw{};
        ::cfmakeraw(&raw);   // '\n' stays as it is
        EXPECT_EQ(::openpty(&screen_, &program, nullptr, &raw, &size), 0);
        stream_ = ::fdopen(program, "w");
    }
    ~PseudoTerminal() {
        std::fclose(stream_);
        ::close(screen_);
    }
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    std::FILE* stream() const { return stream_; }
    /// What was written since the last call; at least one character must have been.
    std::string written() const {
        std::fflush(stream_);
        std::string text(4096, ' ');
        text.resize(static_cast<std::size_t>(::read(screen_, text.data(), text.size())));
        return text;
    }

private:
    int screen_ = -1;
    std::FILE* stream_ = nullptr;
};

}   // namespace oscar::test
