// Signals that whoever started a test had ignored.
#pragma once

#include <signal.h>

namespace oscar::testing {

/// Gives SIGINT, SIGTERM and SIGHUP their default effect where they are ignored, as nohup and background jobs of a
/// shell leave them; to be called before anything is registered for them (before_ending).
inline void stop_ignoring_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if ((before.sa_flags & SA_SIGINFO) == 0 && before.sa_handler == SIG_IGN) ::signal(signal, SIG_DFL);
    }
}

}   // namespace oscar::testing
