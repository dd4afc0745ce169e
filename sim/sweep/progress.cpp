#include "sim/sweep/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

namespace oscar::inline sweep {
namespace {

constexpr std::size_t bar_width = 24;
constexpr const char* clear_line = "\r\033[K";

}   // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string progress_text(const Tally& tally, double elapsed_s) {
    const std::size_t ended = tally.done + tally.failed;
    std::string text = fmt::format("{}/{} points", ended, tally.points);
    if (tally.failed > 0) text += fmt::format(", {} failed", tally.failed);
    if (tally.computed > 0 && ended < tally.points)
        text += fmt::format(", about {} left", duration_text(elapsed_s / static_cast<double>(tally.computed) *
                                                             static_cast<double>(tally.points - ended)));
    return text;
}

std::string progress_bar(const Tally& tally, std::size_t width) {
    const std::size_t full = tally.points == 0 ? width : width * (tally.done + tally.failed) / tally.points;
    return fmt::format("[{:#<{}}{:-<{}}]", "", full, "", width - full);
}

ProgressDisplay::ProgressDisplay(std::FILE* stream) : stream_(stream), terminal_(::isatty(::fileno(stream)) != 0) {}

ProgressDisplay::~ProgressDisplay() {
    if (terminal_) fmt::print(stream_, "{}", clear_line);
}

double ProgressDisplay::elapsed_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void ProgressDisplay::show(const Tally& tally) const {
    if (!terminal_) return;
    fmt::print(stream_, "{}{} {}", clear_line, progress_bar(tally, bar_width), progress_text(tally, elapsed_s()));
    std::fflush(stream_);
}

void ProgressDisplay::ended(const Tally& tally, const std::string& what, bool failed) const {
    if (terminal_ && failed) fmt::print(stream_, "{}{}\n", clear_line, what);
    if (!terminal_) fmt::print(stream_, "{}: {}\n", progress_text(tally, elapsed_s()), what);
    std::fflush(stream_);
    show(tally);
}

}   // namespace oscar::inline sweep
