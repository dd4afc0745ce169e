// A lossy method over the iterations of an experiment: its compressor, and the exchanges by which it carries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "sim/run/iteration/iterated_method.hpp"
#include "sim/run/lossy/exchange_run.hpp"

namespace oscar {

/// The compressor makes the mean of what its exchanges leave, so that every rank that holds the words holds the mean.
/// Kernels of the GPU and exchanges, each after a launch by the host, run as StepStreams says. Exchanges that only the
/// next step needs (WordExchange::overlapped) take no time, but their bytes count. Ranks that start late delay the
/// first exchange, after which all have waited.
class LossyRun final : public IteratedMethod {
public:
    /// `tensors` tile the bucket. `seed`: of the compressor. `backward`: the time of the backward pass, which
    /// controllers weigh. References must outlive the run. Precondition: !find_lossy_problem (sim/checks).
    LossyRun(const Parameters& parameters, const Method& method, const Routes& routes, std::vector<TensorShape> tensors,
             std::uint64_t seed, Time backward, ParallelFor parallel);

    void warm_up(const IterationCodes& codes) override;
    void iterate(Machine& machine, const IterationCodes& codes, const std::vector<Time>& start,
                 const PriorExchange& exchange, const ShareDone& progress) override;
    std::vector<float> reduced(const IterationCodes& codes) const override;
    const CompressionResult* compressed() const override { return &compressed_; }
    void end_epoch(double learning_rate) override { compressor_->end_epoch(learning_rate); }
    bool has_momentum() const override { return compressor_->has_momentum(); }
    bool quantised() const override { return false; }
    const std::string& name() const override { return setting_.coder.name; }
    const std::vector<IterationResult>& results() const override { return results_; }
    const std::vector<float>& mean() const { return mean_; }   ///< of the last iteration, as all ranks hold it

private:
    std::vector<IterationResult> step(const IterationCodes& codes, Moment* moment);
    void gather_mean(Carrier& carrier);
    CriticalPath slowest_kernels(const ComputeCost& work) const;
    std::int64_t slowest_launch() const;
    /// What kernels and launches add to the exchanges, and when each exchange begins.
    struct Streams {
        CriticalPath added;
        std::vector<Time> begins;
    };
    Streams run_streams(const std::vector<IterationResult>& exchanged) const;
    IterationResult result_of(std::vector<IterationResult> exchanged, const IterationCodes& codes) const;
    std::shared_ptr<const TraceEvents> timeline_of_step(const std::vector<IterationResult>& exchanged,
                                                        const std::vector<Time>& begins, Time end) const;
    void require_finite(std::span<const float> mean, std::uint32_t position) const;

    LossySetting setting_;
    std::vector<TensorShape> tensors_;
    Time backward_;
    std::unique_ptr<Compressor> compressor_;
    std::vector<std::unique_ptr<ExchangeRun>> exchanges_;   ///< by place in the step
    std::vector<IterationResult> results_;
    std::vector<float> mean_;
    CompressionResult compressed_;    ///< of the last iteration, without its mean
    std::size_t of_compressor_ = 0;   ///< exchanges of it; one more may gather the mean
};

}   // namespace oscar
