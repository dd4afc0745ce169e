// Ctrl-C as a flag that the program polls.
#pragma once

#include <csignal>

namespace oscar {

/// While one lives, SIGINT and SIGTERM end nothing but are noted. They are held back except during a ppoll with
/// `mask_of_waiting`, so none is missed between looking and waiting. At most one at a time.
class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    /// The signal that has come by now; 0 if none has.
    int signal() const;
    /// For ppoll: the signals that were blocked before this object, so that SIGINT and SIGTERM come through.
    const sigset_t& mask_of_waiting() const { return before_; }

    /// In a child process: back to signals as they were, but deaf to SIGINT and SIGTERM, which terminals and batch
    /// systems send to all processes of a job and upon which the parent decides.
    void leave_to_parent() const;

private:
    sigset_t before_;
    struct sigaction int_before_, term_before_;
};

}   // namespace oscar
