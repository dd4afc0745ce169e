#include "sim/sweep/progress.hpp"

#include <fmt/format.h>

namespace oscar {
namespace {

double share_with_result(const Tally& tally) {
    if (tally.points == 0) return 1;
    return static_cast<double>(tally.done + tally.failed) / static_cast<double>(tally.points);
}

}   // namespace

std::string progress_text(const Tally& tally, double elapsed_s) {
    const std::size_t ended = tally.done + tally.failed;
    std::string text = fmt::format("{}/{} points", ended, tally.points);
    if (tally.failed > 0) text += fmt::format(", {} failed", tally.failed);
    return text + left_text(static_cast<double>(tally.computed), static_cast<double>(tally.points - ended), elapsed_s);
}

void ProgressDisplay::show(const Tally& tally) {
    line_.show(progress_text(tally, line_.elapsed_s()), share_with_result(tally));
}

void ProgressDisplay::ended(const Tally& tally, const std::string& what, bool failed) {
    if (!line_.on_terminal()) line_.say(progress_text(tally, line_.elapsed_s()) + ": " + what);
    else if (failed) line_.say(what);
    show(tally);
}

}   // namespace oscar
