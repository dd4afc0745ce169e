#include "sim/run/lossy/lossy_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/compressor/base/feedback.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "models/job/schedule_on.hpp"
#include "sim/config/error.hpp"
#include "sim/parameters/method_setup.hpp"
#include "sim/parameters/nodes.hpp"
#include "sim/report/statistics.hpp"

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
                     std::uint32_t position, const Moment* moment)
        : setting_(setting), exchanges_(exchanges), position_(position), moment_(moment) {}

    std::vector<Symbol> carry(const Exchange& exchange, const RankWords& words) override {
        const std::size_t place = results_.size();
        if (place == exchanges_.size()) exchanges_.emplace_back();
        std::unique_ptr<ExchangeRun>& run = exchanges_[place];
        if (!run || !run->continues(exchange, words)) run = std::make_unique<ExchangeRun>(setting_, exchange, words);
        Exchanged exchanged = run->run(exchange, words, position_, moment_);
        results_.push_back(std::move(exchanged.result));
        return std::move(exchanged.words);
    }
    std::vector<IterationResult>& results() { return results_; }

private:
    const LossySetting& setting_;
    std::vector<std::unique_ptr<ExchangeRun>>& exchanges_;
    std::uint32_t position_;
    const Moment* moment_;
    std::vector<IterationResult> results_;
};

/// Its bytes count, its time does not.
void hide_time(IterationResult& result) {
    result.allreduce_ps = result.codec_ps = result.wire_ps = result.wait_ps = 0;
    result.critical_path = {};
    if (result.closed_form_ps) result.closed_form_ps = 0;
}

CriticalPath slowest_compression(const Nodes& nodes, const ComputeCost& work) {
    CriticalPath slowest;
    for (const NodeParams& node : nodes) {
        CriticalPath path{.latency_ps = node.gpu.launch.ps};
        path += compression_kernels(node.gpu, work);
        if (path.total_ps() >= slowest.total_ps()) slowest = path;
    }
    return slowest;
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
    const Moment moment{machine, start, codes.seed};
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

LossyRun::Step LossyRun::step(const IterationCodes& codes, const Moment* moment) {
    if (!codes.continues) {
        compressor_->reset();
        exchanges_.clear();
    }
    SimulatedCarrier carrier(setting_, exchanges_, codes.position, moment);
    const std::vector<std::span<const float>> gradients(codes.gradients.begin(), codes.gradients.end());
    CompressionResult compressed = compressor_->step(gradients, tensors_, carrier);
    require_finite(compressed.mean, codes.position);
    mean_ = compressed.mean;
    return {std::move(compressed), std::move(carrier.results())};
}

IterationResult LossyRun::result_of(Step step, const IterationCodes& codes) const {
    const Parameters& p = setting_.parameters;
    const CompressionResult& compressed = step.compressed;
    std::vector<ExchangeReport> exchanges;
    for (std::size_t i = 0; i < step.exchanged.size(); ++i) {
        IterationResult& exchanged = step.exchanged[i];
        exchanges.push_back({compressed.exchanges[i].what, exchanged.payload_bytes, exchanged.wire_bytes,
                             exchanged.allreduce_ps, compressed.exchanges[i].overlapped});
        if (compressed.exchanges[i].overlapped) hide_time(exchanged);
    }
    IterationResult result = step.exchanged.empty() ? IterationResult{} : sum_of_buckets(step.exchanged);
    result.exchanges = std::move(exchanges);
    result.position = codes.position;
    result.gpu_kernel_ps = add_time(result, slowest_compression(setting_.nodes, compressed.operations));
    result.values = dense_values();
    result.counted_bytes = 4.0 * static_cast<double>(compressed.mean.size());
    result.bus_factor =
        bus_factor(operation_of(p.collective), p.ranks, std::holds_alternative<InNetworkParams>(p.collective.params));
    std::vector<float> sum = compressed.mean;
    for (float& value : sum) value *= static_cast<float>(p.ranks);
    const std::vector<std::span<const float>> gradients(codes.gradients.begin(), codes.gradients.end());
    result.fidelity = fidelity(sum, gradients);
    derive(result);
    return result;
}

/// What an AllReduce of the gradient would carry, so that bits per value compare with methods that leave out none.
std::uint64_t LossyRun::dense_values() const {
    const Parameters& p = setting_.parameters;
    const Schedule schedule = schedule_on(p.collective, setting_.routes.topology());   // AllReduce or reduce-scatter
    const std::uint32_t slices = slices_of(p.collective);
    const ChunkLayout layout = make_layout(EqualParams{}, static_cast<std::uint32_t>(tensors_.back().end),
                                           {schedule.chunks / slices, slices}, {});
    std::uint64_t values = 0;
    for (const auto& step : schedule.steps) values += layout.size(step.chunk);
    return values;
}

}   // namespace oscar
