// Progress on a terminal: a bar with what is being done and the time that is left.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace oscar {

/// A listener to progress: `what` is being done, and `done`, 0..1, is the share of the whole that is done.
using Progress = std::function<void(const std::string& what, double done)>;

/// `[######--------------]`: the share that is done; `width` characters between the brackets, all full at 1 only.
std::string progress_bar(double done, std::size_t width);

/// `3 min 20 s`, `2 h 5 min`, `7 s`.
std::string duration_text(double seconds);

/// `, about 3 min 20 s left`: what is left takes as long as what was done in `elapsed_s`. Empty before anything was
/// done and when nothing is left.
std::string left_text(double done, double left, double elapsed_s);

/// One line on a terminal that is written over and over, at most ten times a second. It is cleared when the object
/// goes, and when a signal ends the program. Nothing where `stream` is no terminal, but what is said. At most one at a
/// time.
class ProgressLine {
public:
    explicit ProgressLine(std::FILE* stream);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    bool on_terminal() const { return terminal_; }
    double elapsed_s() const;   ///< since construction

    /// `[####----] 42 %, WHAT, about 12 s left`.
    void operator()(const std::string& what, double done);
    /// Shows the bar and `text` after it, at once, cut to the width of the terminal.
    void show(const std::string& text, double done);
    /// A line of its own, which stays.
    void say(const std::string& line);

private:
    using Clock = std::chrono::steady_clock;
    void clear();

    std::FILE* stream_;
    bool terminal_;
    Clock::time_point begin_ = Clock::now(), next_ = begin_;
};

/// Progress where nobody sees a bar: a line at the end of each `interval`, with what has been done by then. It comes
/// from a thread of its own, so that one long piece of work is no silence.
class ProgressReminder {
public:
    explicit ProgressReminder(std::FILE* stream, std::chrono::milliseconds interval = std::chrono::minutes(1));
    ~ProgressReminder();
    ProgressReminder(const ProgressReminder&) = delete;
    ProgressReminder& operator=(const ProgressReminder&) = delete;

    void operator()(const std::string& what, double done);

private:
    using Clock = std::chrono::steady_clock;
    void remind();

    std::FILE* stream_;
    std::chrono::milliseconds interval_;
    Clock::time_point begin_ = Clock::now();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string what_ = "start";
    double done_ = 0;
    bool ended_ = false;
    std::thread thread_;
};

}   // namespace oscar
