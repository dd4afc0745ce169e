#include "sim/run/lossy/lossy_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "models/compressor/base/feedback.hpp"
#include "models/compressor/base/input.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/config/error.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/report/combinations.hpp"
#include "sim/report/statistics.hpp"
#include "sim/run/lossy/step_streams.hpp"
#include "sim/run/lossy/step_timeline.hpp"

namespace oscar {
namespace {

std::unique_ptr<Compressor> compressor_of(const LossyChain& chain, std::uint32_t ranks, std::uint64_t seed) {
    auto compressor = make_compressor(chain.compressor, ranks, seed);
    return chain.feedback.value_or(true) ? with_error_feedback(std::move(compressor)) : std::move(compressor);
}

/// Carries exchange after exchange of one step, each by the run at its place.
class SimulatedCarrier final : public Carrier {
public:
    SimulatedCarrier(const LossySetting& setting, std::vector<std::unique_ptr<ExchangeRun>>& exchanges,
                     std::uint32_t position, Moment* moment)
        : setting_(setting), exchanges_(exchanges), position_(position), moment_(moment) {}

    std::vector<Symbol> carry(const WordExchange& exchange, const RankWords& words) override {
        const std::size_t place = results_.size();
        if (place == exchanges_.size()) exchanges_.emplace_back();
        std::unique_ptr<ExchangeRun>& run = exchanges_[place];
        if (!run || !run->continues(exchange, words)) run = std::make_unique<ExchangeRun>(setting_, exchange, words);
        Exchanged exchanged = run->run(words, position_, moment_);
        if (moment_ != nullptr) moment_->start.clear();
        results_.push_back(std::move(exchanged.result));
        return std::move(exchanged.words);
    }
    std::vector<IterationResult>& results() { return results_; }

private:
    const LossySetting& setting_;
    std::vector<std::unique_ptr<ExchangeRun>>& exchanges_;
    std::uint32_t position_;
    Moment* moment_;
    std::vector<IterationResult> results_;
};

std::vector<FactorReport> factors_of(const CompressionResult& step) {
    IterationResult each;
    each.factors.reserve(step.factors.size() + step.gains.size());
    for (const double factor : step.factors) each.factors.push_back({factor, 1, 0, {}, {}});
    for (const FactorGain& of : step.gains) each.factors.push_back({of.factor, 0, 1, of.gain, of.throughput});
    return combinations::factors({&each, 1});
}

/// Its bytes count, its time does not.
void hide_time(IterationResult& result) {
    result.allreduce_ps = result.codec_ps = result.wire_ps = result.wait_ps = 0;
    result.critical_path = {};
    if (result.closed_form_ps) result.closed_form_ps = 0;
}

}   // namespace

LossyRun::LossyRun(const Parameters& parameters, const Method& method, const Routes& routes,
                   std::vector<TensorShape> tensors, std::uint64_t seed, Time backward, ParallelFor parallel)
    : setting_(parameters, method, routes, std::move(parallel)),
      tensors_(std::move(tensors)),
      backward_(backward),
      compressor_(compressor_of(*method.lossy, parameters.ranks, seed)) {}

void LossyRun::warm_up(const IterationCodes& codes) { step(codes, nullptr); }

void LossyRun::iterate(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                       const PriorExchange&, const ShareDone&) {
    Moment moment{machine, start, codes.seed, results_.empty() && setting_.parameters.timeline};   // of the first step
    results_.push_back(result_of(step(codes, &moment), codes));
    const IterationResult& result = results_.back();
    compressor_->completed({backward_, Time{result.gpu_kernel_ps}, Time{result.allreduce_ps - result.gpu_kernel_ps}});
}

/// InputError: a value of the mean is none.
void LossyRun::require_finite(std::span<const float> mean, std::uint32_t position) const {
    if (mean.size() != tensors_.back().end)
        throw InputError(fmt::format("method {}: in iteration {} it leaves {} values of {}", name(), position,
                                     mean.size(), tensors_.back().end));
    const auto bad = std::ranges::find_if_not(mean, [](float value) { return std::isfinite(value); });
    if (bad == mean.end()) return;
    throw InputError(
        fmt::format("method {}: in iteration {} the mean of element {} is {}; choose a lower factor, or "
                    "feedback: false",
                    name(), position, bad - mean.begin(), *bad));
}

/// The results of its exchanges, void without network.
std::vector<IterationResult> LossyRun::step(const IterationCodes& codes, Moment* moment) {
    if (!codes.continues) {
        compressor_->reset();
        exchanges_.clear();
    }
    SimulatedCarrier carrier(setting_, exchanges_, codes.position, moment);
    try {
        compressed_ = compressor_->step(views(codes.gradients), tensors_, carrier);
    } catch (const std::invalid_argument& error) {   // values that it cannot send, in a whole sentence
        throw InputError(fmt::format("method {}: in iteration {}: {}", name(), codes.position, error.what()));
    }
    require_finite(compressed_.mean, codes.position);
    mean_ = std::move(compressed_.mean);
    of_compressor_ = compressed_.exchanges.size();
    if (operation_of(setting_.parameters.collective) == Operation::all_reduce) gather_mean(carrier);
    return std::move(carrier.results());
}

/// What a compressor leaves with the owners of shards, as sharded training has it, all ranks are to hold: each owner
/// sends its shard of the mean.
void LossyRun::gather_mean(Carrier& carrier) {
    const auto leaves_shards = [](const WordExchange& exchange) {
        return exchange.carrier == CollectiveKind::reduce || exchange.carrier == CollectiveKind::reduce_scatter;
    };
    const auto gathers = [](const WordExchange& exchange) { return exchange.carrier == CollectiveKind::all_gather; };
    if (std::ranges::none_of(compressed_.exchanges, leaves_shards)) return;
    if (std::ranges::any_of(compressed_.exchanges, gathers)) return;   // it gathers a shorter form of the mean itself
    RankWords shards;
    shards.represented = mean_.size();
    const std::uint32_t ranks = setting_.parameters.ranks;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const std::size_t begin = mean_.size() * rank / ranks, end = mean_.size() * (rank + 1) / ranks;
        shards.of_ranks.push_back(words_of_floats(std::span(mean_).subspan(begin, end - begin)));
    }
    StepExchanges(carrier, compressed_).carry({.what = "mean", .carrier = CollectiveKind::all_gather}, shards);
}

/// Of the slowest GPU, for which all wait.
CriticalPath LossyRun::slowest_kernels(const ComputeCost& work) const {
    CriticalPath slowest;
    for (const NodeParams& node : setting_.nodes) {
        const CriticalPath path = compression_kernels(node.gpu, work);
        if (path.total_ps() >= slowest.total_ps()) slowest = path;
    }
    return slowest;
}

std::int64_t LossyRun::slowest_launch() const {
    std::int64_t slowest = 0;
    for (const NodeParams& node : setting_.nodes) slowest = std::max(slowest, node.gpu.launch.ps);
    return slowest;
}

/// Exchanges run one after the other, with one launch for each that the step needs, at least one. What gathers the mean
/// comes after all kernels of the compressor.
LossyRun::Streams LossyRun::run_streams(const std::vector<IterationResult>& exchanged) const {
    StepStreams streams;
    Streams result;
    CriticalPath& added = result.added;
    CriticalPath rest = slowest_kernels(work_after_exchanges(compressed_));
    const std::int64_t launch = slowest_launch();
    if (std::ranges::all_of(compressed_.exchanges, &WordExchange::overlapped)) rest.latency_ps += launch;
    for (std::size_t i = 0; i < exchanged.size(); ++i) {
        const WordExchange& exchange = compressed_.exchanges[i];
        if (i == of_compressor_) added += streams.finish(std::exchange(rest, {}));
        added += streams.encode(slowest_kernels(exchange.encoding), exchange.overlapped ? 0 : launch, exchange.after);
        result.begins.push_back(Time{streams.carry(exchange.overlapped ? 0 : exchanged[i].allreduce_ps)});
        streams.decode(slowest_kernels(exchange.decoding));
    }
    added += streams.finish(rest);
    return result;
}

std::vector<float> LossyRun::reduced(const IterationCodes&) const {
    std::vector<float> sum = mean_;
    for (float& value : sum) value *= static_cast<float>(setting_.parameters.ranks);
    return sum;
}

/// Null where none is asked for.
std::shared_ptr<const TraceEvents> LossyRun::timeline_of_step(const std::vector<IterationResult>& exchanged,
                                                              const std::vector<Time>& begins, Time end) const {
    const std::optional<TimelineWindow> window = shown_window(setting_.parameters);
    std::vector<PlacedExchange> placed;
    for (std::size_t i = 0; i < exchanged.size(); ++i) {
        const WordExchange& exchange = compressed_.exchanges[i];
        if (!exchanged[i].timeline || exchange.overlapped) continue;
        placed.push_back({exchange.what, begins[i], Time{exchanged[i].allreduce_ps}, exchanged[i].timeline.get()});
    }
    if (placed.empty() || !window) return nullptr;
    return std::make_shared<TraceEvents>(step_timeline(placed, end, *window));
}

IterationResult LossyRun::result_of(std::vector<IterationResult> exchanged, const IterationCodes& codes) const {
    const Parameters& p = setting_.parameters;
    const Streams streams = run_streams(exchanged);
    std::vector<ExchangeReport> exchanges;
    for (std::size_t i = 0; i < exchanged.size(); ++i) {
        IterationResult& one = exchanged[i];
        const WordExchange& exchange = compressed_.exchanges[i];
        exchanges.push_back({exchange.what, one.payload_bytes, one.wire_bytes, one.allreduce_ps, exchange.overlapped});
        if (exchange.overlapped) hide_time(one);
    }
    IterationResult result = exchanged.empty() ? IterationResult{} : sum_of_buckets(exchanged);
    result.exchanges = std::move(exchanges);
    result.factors = factors_of(compressed_);
    result.position = codes.position;
    result.gpu_kernel_ps = add_time(result, streams.added);
    result.timeline = timeline_of_step(exchanged, streams.begins, Time{result.allreduce_ps});
    result.counted_bytes = 4.0 * static_cast<double>(mean_.size());
    result.bus_factor =
        bus_factor(operation_of(p.collective), p.ranks, std::holds_alternative<InNetworkParams>(p.collective.params));
    result.fidelity = fidelity(reduced(codes), views(codes.gradients));
    derive(result);
    return result;
}

}   // namespace oscar
