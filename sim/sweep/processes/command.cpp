#include "sim/sweep/processes/command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace oscar {
namespace {

void check(int error, const std::string& what) {
    if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

std::string read_all(int file) {
    std::string text;
    std::array<char, 4096> part;
    ssize_t count = 0;
    while ((count = ::read(file, part.data(), part.size())) > 0 || (count < 0 && errno == EINTR))
        if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
    return text;
}

}   // namespace

CommandEnd run_command(const std::vector<std::string>& words) {
    std::array<int, 2> ends;
    check(::pipe2(ends.data(), O_CLOEXEC) == 0 ? 0 : errno, "no pipe for " + words.front());
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));   // posix_spawn's type
    arguments.push_back(nullptr);
    pid_t process = 0;
    const int error = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    CommandEnd end;
    if (error == 0) end.output = read_all(ends[0]);
    ::close(ends[0]);
    check(error, words.front());
    int status = 0;
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return end;
}

}   // namespace oscar
