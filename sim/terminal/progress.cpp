#include "sim/terminal/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "sim/files/ending_signals.hpp"
#include "sim/terminal/terminal.hpp"

namespace oscar {
namespace {

constexpr std::size_t bar_width = 24;
constexpr std::string_view clear_line = "\r\033[K";
constexpr auto pause = std::chrono::milliseconds(100);

volatile std::sig_atomic_t shown_on = -1;   ///< the file of the terminal whose line is to be cleared

/// Async-signal-safe.
void clear_shown_line() {
    if (shown_on < 0) return;
    static_cast<void>(!::write(shown_on, clear_line.data(), clear_line.size()));
    shown_on = -1;
}

}   // namespace

std::string progress_bar(double done, std::size_t width) {
    const auto full = static_cast<std::size_t>(std::clamp(done, 0.0, 1.0) * static_cast<double>(width));
    return fmt::format("[{:#<{}}{:-<{}}]", "", full, "", width - full);
}

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string left_text(double done, double left, double elapsed_s) {
    return done > 0 && left > 0 ? fmt::format(", about {} left", duration_text(elapsed_s / done * left)) : "";
}

ProgressLine::ProgressLine(std::FILE* stream) : stream_(stream), terminal_(is_terminal(stream)) {
    if (terminal_) before_ending(clear_shown_line);
}

ProgressLine::~ProgressLine() { clear(); }

double ProgressLine::elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

void ProgressLine::operator()(const std::string& what, double done) {
    if (Clock::now() < next_) return;
    show(fmt::format("{:.0f} %, {}{}", 100 * done, what, left_text(done, 1 - done, elapsed_s())), done);
}

void ProgressLine::show(const std::string& text, double done) {
    if (!terminal_) return;
    const std::string line = progress_bar(done, bar_width) + " " + text;
    shown_on = ::fileno(stream_);
    fmt::print(stream_, "{}{:.{}}", clear_line, line, width_of(stream_) - 1);   // -1: the cursor stays in the line
    std::fflush(stream_);
    next_ = Clock::now() + pause;
}

void ProgressLine::say(const std::string& line) {
    clear();
    fmt::print(stream_, "{}\n", line);
    std::fflush(stream_);
}

void ProgressLine::clear() {
    if (shown_on < 0 || !terminal_) return;
    fmt::print(stream_, "{}", clear_line);
    std::fflush(stream_);
    shown_on = -1;
}

ProgressReminder::ProgressReminder(std::FILE* stream, std::chrono::milliseconds interval)
    : stream_(stream), interval_(interval) {
    const BlockedEndingSignals blocked;   // by the thread, which begins with the mask of this one
    thread_ = std::thread([this] { remind(); });
}

ProgressReminder::~ProgressReminder() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void ProgressReminder::operator()(const std::string& what, double done) {
    const std::lock_guard lock(mutex_);
    what_ = what;
    done_ = done;
}

void ProgressReminder::remind() {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, interval_, [this] { return ended_; })) {
        const double elapsed_s = std::chrono::duration<double>(Clock::now() - begin_).count();
        fmt::print(stream_, "oscar-sim: after {}: {:.0f} %, {}{}\n", duration_text(elapsed_s), 100 * done_, what_,
                   left_text(done_, 1 - done_, elapsed_s));
        std::fflush(stream_);
    }
}

}   // namespace oscar
