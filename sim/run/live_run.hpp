// An experiment on the gradients of a training that is under way, step by step.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "sim/report/host_clock.hpp"
#include "sim/run/bucket_methods.hpp"
#include "sim/run/prepare.hpp"
#include "sim/run/training_step.hpp"

namespace oscar {

/// A step of the training, as its experiment's method carried it.
struct LiveStep {
    std::vector<float> mean;              ///< of the ranks' gradients, as every rank holds it
    IterationResult result;               ///< of all buckets
    Time step;                            ///< with the passes and the optimiser, and what they hide; without a step the
                                          ///< time of the collectives
    std::uint64_t floats = 0;             ///< that a lossy compressor sent, as its publication counts them
    std::vector<double> factors = {};     ///< of each tensor, as a controller chose them
    std::vector<FactorGain> gains = {};   ///< of the factors that a controller tried
};

/// ConfigError: keys of a trace, or a payload without values, in the experiment of a live run as it is written.
void check_for_live(const ConfigNode& experiment);
/// ConfigError: another number of methods than one; a step whose backward pass has no time.
void check_for_live(const Experiment& experiment);

/// Holds a machine, of which a process has one in its life. Scales, tables, residuals and controllers go on from step
/// to step, as they do over the iterations of a trace; the first step has no history.
class LiveRun {
public:
    /// `layers`: of the model, in the order of its values, each with a name and a shape; when they are ready follows
    /// from their sizes (ready_by_size). ConfigError: more than one method; a step whose backward pass has no time;
    /// what prepare() finds.
    LiveRun(const Experiment& experiment, std::vector<TraceLayer> layers);

    std::uint32_t ranks() const { return experiment_.parameters.ranks; }
    std::uint64_t elements() const { return elements_; }   ///< values of a rank's gradient
    /// True if means contain the momentum of the steps before; see Compressor::has_momentum().
    bool has_momentum() const { return buckets_.front().method.front()->has_momentum(); }
    /// Carries one gradient of each rank. InputError: a value of them, or of their mean, that is NaN or infinite.
    LiveStep step(std::span<const std::vector<float>> gradients);
    /// An epoch has ended, and the next begins with this learning rate: for schedules of compressors.
    void end_epoch(double learning_rate);

private:
    struct Bucket {
        BucketSetting setting;
        std::vector<Run> runs;   ///< its values, and where they lie in the gradient
        BucketMethods method;    ///< one
        CodeSource codes;
    };
    void add_bucket(std::span<const std::size_t> layers);
    void check_finite(std::span<const std::vector<float>> gradients) const;
    void check_mean(std::span<const float> mean) const;
    IterationCodes codes_of(Bucket& bucket, std::span<const std::vector<float>> gradients) const;
    void add(const Bucket& bucket, const IterationCodes& codes, LiveStep& step) const;
    Time time_of(std::span<const IterationResult> buckets) const;

    Experiment experiment_;
    TraceManifest manifest_;
    Prepared prepared_;
    Routes routes_;
    Machine machine_;
    std::optional<StepSetting> step_;
    std::uint64_t elements_;
    std::deque<Bucket> buckets_;
    std::uint32_t position_ = 0;   ///< of the next step
};

/// When the gradients of layers are complete, which no capture tells: the backward pass goes through the values at an
/// even pace, from the last layer to the first, and takes a second, which `step.backward` scales.
void ready_by_size(std::vector<TraceLayer>& layers);

}   // namespace oscar
