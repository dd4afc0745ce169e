// A simulation in a process of its own: a process has one.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace oscar::test {

/// The text that `make` returns, in a child of this process; what the child throws ends up as its text.
template <class Make>
std::string in_own_process(const Make& make) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::string text;
        try {
            text = make();
        } catch (const std::exception& error) {
            text = error.what();
        }
        for (std::size_t sent = 0; sent < text.size();) {
            const ssize_t count = ::write(ends[1], text.data() + sent, text.size() - sent);
            if (count <= 0) _exit(1);
            sent += static_cast<std::size_t>(count);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> part{};
    for (ssize_t count = 0; (count = ::read(ends[0], part.data(), part.size())) > 0;)
        text.append(part.data(), static_cast<std::size_t>(count));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return text;
}

}   // namespace oscar::test
