// What is tidied up when SIGINT, SIGTERM or SIGHUP ends the program.
#pragma once

namespace oscar::inline files {

/// From now on `tidy` is called before one of these signals ends the program, in the order of registration. It runs in
/// the handler, so it must be async-signal-safe. Registered again, it is still called once. A signal that is ignored,
/// as under nohup, stays ignored, and a handler that is installed already stays. std::logic_error: more than four.
void before_ending(void (*tidy)());

}   // namespace oscar::inline files
