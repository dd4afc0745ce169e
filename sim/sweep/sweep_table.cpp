#include "sim/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <map>

#include "sim/describe/wrap.hpp"

namespace oscar {
namespace {

std::string gains(const SweepEnd& end, const Screen& screen) {
    std::vector<Row> rows{{"method", "x " + end.baseline, "time us", "limited by", "at point"}};
    std::map<std::size_t, std::string> points;
    for (const BestPoint& best : end.best) {
        rows.push_back({best.method, fmt::format("{:.3f}", best.speedup), microseconds(best.allreduce_ps),
                        best.bottleneck, std::to_string(best.position)});
        points.emplace(best.position, best.settings);
    }
    std::string text = fmt::format("\nWhere each method gains most over {}:\n", end.baseline) + aligned(rows, screen);
    for (const auto& [position, settings] : points)
        text += paragraph(fmt::format("point {}: {}", position, settings), screen.width, 2);
    return text + "\n";
}

}   // namespace

std::string tally_text(const Tally& tally) {
    return fmt::format("{} points: {} done, {} failed, {} pending; {} computed now\n", tally.points, tally.done,
                       tally.failed, tally.points - tally.done - tally.failed, tally.computed);
}

std::string to_table(const SweepEnd& end, const Screen& screen) {
    return tally_text({end.points, end.done, end.failed, end.computed}) + (end.best.empty() ? "" : gains(end, screen)) +
           fmt::format("{0}/points.sqlite\n{0}/points.csv\n{0}/methods.csv\n", end.folder);
}

}   // namespace oscar
