#include "sim/report/activity.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace oscar {
namespace {

/// Three decimals: more than a picture shows, and reports stay small.
double rounded(double value) { return std::round(value * 1000) / 1000; }

double part_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// Time in equal intervals that spans cover.
class Coverage {
public:
    Coverage(Time begin, Time duration)
        : begin_(begin), width_((duration.ps + count() - 1) / count()), covered_(intervals_of_activity) {}

    std::int64_t width_ps() const { return width_; }
    /// Spans that overlap count as often as they cover a moment.
    void add(Span span) {
        const std::int64_t end = std::min((span.end - begin_).ps, width_ * count());
        for (std::int64_t at = std::max<std::int64_t>((span.begin - begin_).ps, 0); at < end;) {
            const std::int64_t interval = at / width_, next = std::min(end, (interval + 1) * width_);
            covered_[static_cast<std::size_t>(interval)] += static_cast<double>(next - at);
            at = next;
        }
    }
    template <class Spans>
    void add(const Spans& spans) {
        for (const Span& span : spans) add(span);
    }
    /// The covered share of each interval, divided by `among`.
    std::vector<double> shares(std::size_t among) const {
        std::vector<double> result;
        result.reserve(covered_.size());
        for (const double time : covered_)
            result.push_back(rounded(part_of(time, static_cast<double>(width_) * static_cast<double>(among))));
        return result;
    }

private:
    static constexpr std::int64_t count() { return intervals_of_activity; }

    Time begin_;
    std::int64_t width_;
    std::vector<double> covered_;
};

Time busy_time(const LinkUse& link) {
    Time sum;
    for (const Span& span : link.busy) sum += span.end - span.begin;
    return sum;
}

std::vector<LinkActivity> busiest(std::vector<const LinkUse*> links, const Coverage& none) {
    std::vector<std::pair<Time, const LinkUse*>> by_time;
    for (const LinkUse* link : links) by_time.emplace_back(busy_time(*link), link);
    std::ranges::stable_sort(by_time, std::greater{}, &std::pair<Time, const LinkUse*>::first);
    links.resize(std::min(links.size(), most_links_of_activity));
    for (std::size_t i = 0; i < links.size(); ++i) links[i] = by_time[i].second;
    std::ranges::sort(links, {}, [](const LinkUse* link) { return link->name; });
    std::vector<LinkActivity> result;
    for (const LinkUse* link : links) {
        Coverage intervals = none;
        intervals.add(link->busy);
        result.push_back({link->name, intervals.shares(1)});
    }
    return result;
}

}   // namespace

std::optional<RunActivity> activity_of(const Outcome& outcome, const Schedule& schedule) {
    if (outcome.duration() <= Time{}) return std::nullopt;
    const Coverage none(outcome.first_start, outcome.duration());
    RunActivity result;
    result.interval_ps = none.width_ps();
    Coverage links = none, encoders = none, decoders = none, sending = none, arriving = none;
    std::vector<const LinkUse*> used;
    for (const LinkUse& link : outcome.links)
        if (link.packets > 0) {
            used.push_back(&link);
            links.add(link.busy);
        }
    for (std::uint32_t r = 0; r < schedule.ranks; ++r) {
        encoders.add(outcome.ranks[r].encoder);
        decoders.add(outcome.ranks[r].decoder);
    }
    for (const StepTimes& step : outcome.steps) {
        sending.add({step.issued, step.sent});
        arriving.add({step.sent, step.ready});
    }
    result.links = links.shares(used.size());
    result.encoders = encoders.shares(schedule.ranks);
    result.decoders = decoders.shares(schedule.ranks);
    result.sending = sending.shares(schedule.ranks);
    result.arriving = arriving.shares(schedule.ranks);
    result.busiest_links = busiest(std::move(used), none);
    return result;
}

std::optional<TimestepReport> timesteps_of(const Outcome& outcome, const Schedule& schedule) {
    struct Sum {
        Time begin = Time{std::numeric_limits<std::int64_t>::max()}, end;
        std::uint64_t messages = 0, bytes = 0, values = 0, largest = 0;
    };
    std::vector<Sum> sums(schedule.steps.empty() ? 0 : schedule.timesteps());
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
        Sum& sum = sums[schedule.steps[i].timestep.value];
        const MessageRecord& record = outcome.records[i];
        sum.begin = std::min(sum.begin, outcome.steps[i].issued - outcome.first_start);
        sum.end = std::max(sum.end, outcome.steps[i].ready - outcome.first_start);
        ++sum.messages;
        sum.bytes += record.bytes;
        sum.values += record.values;
        sum.largest = std::max<std::uint64_t>(sum.largest, record.bytes);
    }
    std::erase_if(sums, [](const Sum& sum) { return sum.messages == 0; });
    if (sums.empty()) return std::nullopt;
    TimestepReport result;
    for (const Sum& sum : sums) {
        result.begin_ps.push_back(sum.begin.ps);
        result.end_ps.push_back(sum.end.ps);
        result.bits_per_value.push_back(
            rounded(part_of(8.0 * static_cast<double>(sum.bytes), static_cast<double>(sum.values))));
        result.imbalance.push_back(rounded(part_of(static_cast<double>(sum.largest) * static_cast<double>(sum.messages),
                                                   static_cast<double>(sum.bytes))));
    }
    return result;
}

std::optional<ChunkBalance> chunk_balance_of(const Outcome& outcome, const Schedule& schedule) {
    std::vector<double> bytes(schedule.chunks);
    for (std::size_t i = 0; i < schedule.steps.size(); ++i)
        bytes[schedule.steps[i].chunk.value] += static_cast<double>(outcome.records[i].bytes);
    std::erase(bytes, 0.0);
    if (bytes.size() < 2) return std::nullopt;
    std::ranges::sort(bytes);
    double sum = 0;
    for (const double of_chunk : bytes) sum += of_chunk;
    const double mean = sum / static_cast<double>(bytes.size());
    const auto quantile = [&](std::size_t quarters) {   // the nearest rank
        return rounded(bytes[(quarters * (bytes.size() - 1) + 2) / 4] / mean);
    };
    return ChunkBalance{bytes.size(), quantile(0), quantile(1), quantile(2), quantile(3), quantile(4)};
}

}   // namespace oscar
