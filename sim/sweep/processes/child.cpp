#include "sim/sweep/processes/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <system_error>

#include "sim/run/exit_status.hpp"

namespace oscar {
namespace {

constexpr std::size_t kept_error_bytes = 1 << 14;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

using Pipe = std::array<int, 2>;   // read end, write end

Pipe make_pipe() {
    Pipe ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe for a worker");
    return ends;
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno != EINTR) return false;
        if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

int status_of(std::size_t task, const RunTask& run, std::string& result) {
    try {
        return run(task, result);
    } catch (...) {
        const Failure failure = failure_in_flight();
        result = failure.what;
        return failure.status;
    }
}

/// Becomes the child: never returns.
[[noreturn]] void work(std::size_t task, const RunTask& run, const Interrupt& interrupt, pid_t parent, int result_end,
                       int error_end) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(other_failure);   // it ended before the line above
    interrupt.leave_to_parent();
    ::dup2(error_end, STDOUT_FILENO);
    ::dup2(error_end, STDERR_FILENO);
    std::string result;
    const int status = status_of(task, run, result);
    std::fflush(nullptr);
    ::_exit(write_all(result_end, result) ? status : other_failure);   // without the parent's destructors
}

std::string last_line(std::string_view text) {
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    return std::string(text.substr(text.find_last_of('\n') + 1));
}

}   // namespace

Child::Child(std::size_t task, const RunTask& run, const Interrupt& interrupt) : task_(task) {
    const Pipe result = make_pipe(), error = make_pipe();
    ends_ = {result[0], error[0]};
    std::fflush(nullptr);   // or the child would print what is still in the buffers once more
    const pid_t parent = ::getpid();
    process_ = ::fork();
    if (process_ == 0) work(task, run, interrupt, parent, result[1], error[1]);
    ::close(result[1]);
    ::close(error[1]);
    if (process_ < 0) fail("no process for a worker");
}

Child::~Child() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
    for (const int end : ends_)
        if (end >= 0) ::close(end);
}

std::array<pollfd, 2> Child::ends() const { return {{{ends_[0], POLLIN, 0}, {ends_[1], POLLIN, 0}}}; }

void Child::receive(std::size_t which) {
    std::array<char, 1 << 16> part;
    const ssize_t count = ::read(ends_[which], part.data(), part.size());
    if (count < 0 && errno == EINTR) return;
    if (count > 0) {
        received_[which].append(part.data(), static_cast<std::size_t>(count));
        if (which == 1 && received_[1].size() > kept_error_bytes)
            received_[1].erase(0, received_[1].size() - kept_error_bytes);
        return;
    }
    ::close(ends_[which]);
    ends_[which] = -1;
}

TaskEnd Child::end() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    TaskEnd end;
    end.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const std::string printed = last_line(received_[1]);
    if (WIFSIGNALED(status)) {
        end.status = 128 + WTERMSIG(status);
        end.error = fmt::format("killed by signal {} ({}){}{}", WTERMSIG(status), ::strsignal(WTERMSIG(status)),
                                printed.empty() ? "" : ": ", printed);
        return end;
    }
    end.status = WEXITSTATUS(status);
    if (end.status == 0) end.result = std::move(received_[0]);
    else end.error = received_[0].empty() ? printed : received_[0];
    return end;
}

}   // namespace oscar
