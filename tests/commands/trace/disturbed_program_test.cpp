// `oscar-sim trace` that is interrupted, or whose trace changes under it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "tests/system/program.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::disturbed_program_test {
namespace {

using ::testing::HasSubstr;
using testing::TemporaryFolder;

/// `oscar-sim ARGUMENTS` in the background; standard error goes to a file.
class Running {
public:
    Running(std::vector<std::string> arguments, const std::filesystem::path& errors) : process_(fork()) {
        if (process_ != 0) return;
        std::vector<char*> words;
        arguments.insert(arguments.begin(), OSCAR_SIM);
        for (std::string& word : arguments) words.push_back(word.data());
        words.push_back(nullptr);
        dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), 2);
        execv(OSCAR_SIM, words.data());
        _exit(127);
    }
    pid_t process() const { return process_; }
    /// The exit status, or 128 + the signal that killed it.
    int wait() const {
        int status = 0;
        waitpid(process_, &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

private:
    pid_t process_;
};

/// Waits, at most a minute, until `holds()`; gives whether it does.
template <class Condition>
bool eventually(Condition holds) {
    for (int i = 0; i < 60'000; ++i) {
        if (holds()) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

TEST(DisturbedTraceProgram, LeavesNothingOfAGeneratedTraceWhenItIsInterrupted) {
    const TemporaryFolder folder;
    for (const int signal : {SIGINT, SIGTERM}) {
        const auto target = folder.path() / "new/large";
        const Running program({"trace", "generate", target.string(), "--elements", "100000000", "--ranks", "64"},
                              folder.path() / "errors");   // minutes
        ASSERT_TRUE(eventually([&] {
            const auto part = folder.path() / "new" / (".large." + std::to_string(program.process()) + ".part");
            return std::filesystem::exists(part / "iteration-00000.npy");
        }));
        kill(program.process(), signal);
        EXPECT_EQ(program.wait(), 128 + signal);
        EXPECT_FALSE(std::filesystem::exists(folder.path() / "new"));
    }
}

TEST(DisturbedTraceProgram, NamesAnArrayThatBecameShorterWhileItWasRead) {
    const TemporaryFolder folder;
    folder.write("trace.yaml",
                 "format: 1\nname: large\nparameters: 100000000\nranks: 4\ndata: {licence: MIT}\n"
                 "layers: [{name: a, shape: [100000000]}]\niterations: [{file: a.npy, step: 0}]\n");
    const std::string front =
        testing::aligned_front("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 100000000), }");
    const auto array = folder.write("a.npy", front);
    std::filesystem::resize_file(array, front.size() + 1'600'000'000);   // zeros that take no room
    const Running program({"trace", "verify", folder.path().string()}, folder.path() / "errors");
    ASSERT_TRUE(eventually([&] {
        return test::text_of("/proc/" + std::to_string(program.process()) + "/maps").find("a.npy") != std::string::npos;
    }));
    std::filesystem::resize_file(array, 4096);
    EXPECT_EQ(program.wait(), 2);
    EXPECT_THAT(test::text_of(folder.path() / "errors"),
                HasSubstr("a.npy: became shorter while it was read; run again"));
}

}   // namespace
}   // namespace oscar::disturbed_program_test
