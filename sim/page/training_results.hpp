// Records of trainings, as scripts/train leaves them, and how they are judged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace oscar {

/// An evaluation of a model on held-out data.
struct Evaluation {
    std::uint64_t step = 0;
    double seconds = 0;   ///< simulated, from the start of the training
    double payload_bytes = 0;
    double quality = 0;   ///< the mean of this evaluation and those before it, three in all where there are as many
};

/// A training of one method with one seed.
struct TrainingRun {
    std::uint64_t seed = 0;
    std::string ended;   ///< why
    std::vector<Evaluation> evaluations;
};

struct TrainedMethod {
    std::string name;
    std::vector<TrainingRun> runs;   ///< by seed
    /// The mean over the seeds of their last qualities, and its standard deviation; none where no seed was evaluated.
    struct Quality {
        double mean = 0, deviation = 0;
    };
    std::optional<Quality> quality() const;
};

/// The records of a file of trainings.
struct TrainingResults {
    std::filesystem::path folder;
    std::string metric;
    bool rising = true;                   ///< more of the metric is better
    std::vector<TrainedMethod> methods;   ///< dense first, then by name

    /// The quality of dense in the mean of its seeds, less one standard deviation of them (where less is better, more);
    /// none without dense.
    std::optional<double> target() const;
    /// Simulated seconds until the median seed is at the target over three evaluations; none where most never are.
    std::optional<double> time_to_target(const TrainedMethod& method) const;
};

/// True if the folder holds records of trainings.
bool holds_trainings(const std::filesystem::path& folder);

/// Reads the records METHOD-seedN.json of a folder. InputError: none there, one that is no record, or of two metrics.
TrainingResults read_training_records(const std::filesystem::path& folder);

}   // namespace oscar
