#include "sim/files/ending_signals.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>

namespace oscar {
namespace {

constexpr std::array ending{SIGINT, SIGTERM, SIGHUP};
std::array<void (*)(), 4> registered{};
volatile std::sig_atomic_t count = 0;

void end_by(int signal) {
    for (int i = 0; i < count; ++i) registered[static_cast<std::size_t>(i)]();
    ::signal(signal, SIG_DFL);
    ::raise(signal);   // comes once this handler returns
}

void handle_signals() {
    for (const int signal : ending) {
        struct sigaction before {
        }, action{};
        ::sigaction(signal, nullptr, &before);
        action.sa_handler = end_by;
        if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_DFL) ::sigaction(signal, &action, nullptr);
    }
}

}   // namespace

void before_ending(void (*tidy)()) {
    const auto end = registered.begin() + count;
    if (std::find(registered.begin(), end, tidy) != end) return;
    if (end == registered.end()) throw std::logic_error("too many actions before the program ends");
    *end = tidy;
    count = count + 1;
    if (count == 1) handle_signals();
}

BlockedEndingSignals::BlockedEndingSignals() {
    sigset_t blocked;
    ::sigemptyset(&blocked);
    for (const int signal : ending) ::sigaddset(&blocked, signal);
    ::pthread_sigmask(SIG_BLOCK, &blocked, &before_);
}

BlockedEndingSignals::~BlockedEndingSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

}   // namespace oscar
