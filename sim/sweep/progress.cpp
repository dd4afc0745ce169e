#include "sim/sweep/progress.hpp"

#include <fmt/format.h>

namespace oscar {
namespace {

double share_with_result(const Tally& tally) {
    if (tally.points == 0) return 1;
    return static_cast<double>(tally.done + tally.failed) / static_cast<double>(tally.points);
}

/// Of the points that had no result before.
double share_of_this_run(const Tally& tally) {
    const std::size_t left = tally.points - tally.done - tally.failed;
    return left == 0 ? 1 : static_cast<double>(tally.computed) / static_cast<double>(tally.computed + left);
}

std::string counts_text(const Tally& tally) {
    const std::string text = fmt::format("{}/{} points", tally.done + tally.failed, tally.points);
    return tally.failed > 0 ? fmt::format("{}, {} failed", text, tally.failed) : text;
}

}   // namespace

std::string progress_text(const Tally& tally, double elapsed_s) {
    const std::size_t left = tally.points - tally.done - tally.failed;
    return counts_text(tally) + left_text(static_cast<double>(tally.computed), static_cast<double>(left), elapsed_s);
}

ProgressDisplay::ProgressDisplay(std::FILE* stream, bool quiet, std::chrono::milliseconds interval) {
    if (quiet) return;
    line_.emplace(stream);
    if (!line_->on_terminal()) reminder_.emplace(stream, interval);
}

void ProgressDisplay::show(const Tally& tally) {
    if (line_) line_->show(progress_text(tally, line_->elapsed_s()), share_with_result(tally));
    if (reminder_) (*reminder_)(counts_text(tally), share_of_this_run(tally));
}

void ProgressDisplay::ended(const Tally& tally, const std::string& what, bool failed) {
    if (failed && line_) line_->say(what);
    show(tally);
}

}   // namespace oscar
