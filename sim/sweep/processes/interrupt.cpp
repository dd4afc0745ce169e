#include "sim/sweep/processes/interrupt.hpp"

namespace oscar {
namespace {

volatile std::sig_atomic_t caught = 0;

void note(int signal) { caught = signal; }

}   // namespace

Interrupt::Interrupt() {
    caught = 0;
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before_);
    struct sigaction action {};
    action.sa_handler = note;
    sigaction(SIGINT, &action, &int_before_);
    sigaction(SIGTERM, &action, &term_before_);
}

Interrupt::~Interrupt() {
    sigprocmask(SIG_SETMASK, &before_, nullptr);   // first: a signal held back so far is noted, and ends nothing
    sigaction(SIGINT, &int_before_, nullptr);
    sigaction(SIGTERM, &term_before_, nullptr);
}

int Interrupt::signal() const {
    sigset_t held;   // a ppoll that finds something to read lets no signal in, so a busy caller would never see one
    sigprocmask(SIG_SETMASK, &before_, &held);
    sigprocmask(SIG_SETMASK, &held, nullptr);
    return caught;
}

void Interrupt::leave_to_parent() const {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, nullptr);
    sigaction(SIGTERM, &ignore, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

}   // namespace oscar
