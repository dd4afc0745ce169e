// What is tidied up when SIGINT, SIGTERM or SIGHUP ends the program.
#pragma once

#include <csignal>

namespace oscar {

/// From now on `tidy` is called before one of these signals ends the program, in the order of registration. It runs in
/// the handler, so it must be async-signal-safe. Registered again, it is still called once. A signal that is ignored,
/// as under nohup, stays ignored, and a handler that is installed already stays. std::logic_error: more than four.
void before_ending(void (*tidy)());

/// Blocks these signals in the calling thread while it lives. A thread that is started meanwhile never takes one, so
/// that the handler interrupts the main thread, which makes and registers what is tidied up.
class BlockedEndingSignals {
public:
    BlockedEndingSignals();
    BlockedEndingSignals(const BlockedEndingSignals&) = delete;
    BlockedEndingSignals& operator=(const BlockedEndingSignals&) = delete;
    ~BlockedEndingSignals();

private:
    sigset_t before_{};
};

}   // namespace oscar
