// `oscar-sim sweep` in the background, to be disturbed.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace oscar::test {

class RunningSweep {
public:
    /// Starts `oscar-sim sweep SWEEP -o FOLDER -j 2`; what it prints goes to the file `output`.
    RunningSweep(const std::string& sweep, const std::string& folder, const std::string& output) : process_(fork()) {
        if (process_ != 0) return;
        ::signal(SIGINT, SIG_DFL);   // a shell in the background has it ignored
        const int file = open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        dup2(file, 1);
        dup2(file, 2);
        execl(OSCAR_SIM, OSCAR_SIM, "sweep", sweep.c_str(), "-o", folder.c_str(), "-j", "2", nullptr);
        _exit(127);
    }
    ~RunningSweep() {
        if (process_ > 0) {
            kill(process_, SIGKILL);
            wait();
        }
    }
    RunningSweep(const RunningSweep&) = delete;
    RunningSweep& operator=(const RunningSweep&) = delete;

    void signal(int number) const { kill(process_, number); }
    /// The exit status, or 128 + the signal that killed it.
    int wait() {
        int status = 0;
        waitpid(process_, &status, 0);
        process_ = -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t process_;
};

inline void sleep_ms(std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

/// Waits, at most a minute, until `holds()`; gives whether it does.
template <class Condition>
bool eventually(Condition holds) {
    for (int i = 0; i < 6000; ++i) {
        if (holds()) return true;
        sleep_ms(10);
    }
    return false;
}

}   // namespace oscar::test
