#include "models/compressor/sketch/sketched_sgd.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"
#include "models/compressor/sketch/count_sketch.hpp"
#include "models/compressor/sparse/momentum.hpp"

namespace oscar {
namespace {

class SketchedSgd final : public Compressor {
public:
    SketchedSgd(const SketchedSgdParams& params, std::uint32_t ranks, std::uint64_t seed)
        : params_(params), seed_(seed), memories_(ranks) {}

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, memories_.size());
        prepare(gradients[0].size());
        for (std::size_t r = 0; r < memories_.size(); ++r)
            memories_[r].accumulate(0, gradients[r], {params_.momentum, false});
        CompressionResult result;
        StepExchanges traffic(carrier, result);
        const Positions candidates = candidates_of(traffic);
        std::vector<std::vector<float>> values;
        for (const VelocityMemory& memory : memories_) values.push_back(gather(memory.unsent(), candidates));
        const std::vector<float> exact = traffic.mean({.what = "exact values", .after = {0}}, views(values), 0);
        deliver(candidates, exact, result);
        return result;
    }
    bool takes_error_feedback() const override { return false; }
    bool has_momentum() const override { return params_.momentum > 0; }
    void reset() override {
        hash_.reset();
        memories_.assign(memories_.size(), {});
    }

private:
    void prepare(std::uint64_t elements) {
        if (hash_ && hash_->elements() != elements)
            throw std::invalid_argument("the length of the gradients differs from that of the last step");
        if (hash_) return;
        const double columns = static_cast<double>(elements) / params_.ratio / params_.rows;
        hash_.emplace(elements, SketchShape{params_.rows, static_cast<std::uint32_t>(columns), 1}, seed_);
        for (VelocityMemory& memory : memories_) memory.resize(elements);
    }

    std::uint64_t delivered() const { return selection_size(hash_->elements(), params_.factor); }

    /// Ascending positions of the largest estimates of what the ranks have not sent.
    Positions candidates_of(StepExchanges& traffic) const {
        const std::uint64_t elements = hash_->elements(), per_rows = params_.rows * elements;
        traffic.encode({.elements = 3 * elements,
                        .hashes = 2 * per_rows,   // column and sign
                        .additions = 2 * elements + per_rows,
                        .multiplications = elements});
        CountSketch<float> sketch(*hash_);
        RankWords words;
        words.represented = elements;
        for (const VelocityMemory& memory : memories_) {
            sketch.clear();
            sketch.add(memory.unsent());
            words.of_ranks.push_back(words_of_floats(sketch.table()));
        }
        sketch.set_table(floats_of_words(traffic.carry({.what = "sketch", .floats = sketch.table().size()}, words)));
        const auto wanted = std::llround(params_.candidates * static_cast<double>(delivered()));
        const std::uint64_t count = std::min(elements, static_cast<std::uint64_t>(wanted));
        traffic.encode({.elements = elements + count,
                        .comparisons = per_rows + elements,   // medians, and the selection
                        .hashes = 2 * per_rows});
        return largest_positions(sketch.estimates(), count);
    }

    void deliver(const Positions& candidates, std::span<const float> exact, CompressionResult& result) {
        const Positions places = largest_positions(exact, std::min<std::uint64_t>(delivered(), exact.size()));
        Positions positions;
        result.mean.resize(hash_->elements());
        for (const std::uint32_t place : places) {
            positions.push_back(candidates[place]);
            result.mean[candidates[place]] = exact[place];
        }
        for (VelocityMemory& memory : memories_) {
            auto& sent = result.sent.emplace_back(hash_->elements());
            for (const std::uint32_t i : positions) sent[i] = memory.unsent()[i];
            memory.clear(0, positions, true);
        }
        result.operations += {.elements = hash_->elements() + 3 * positions.size(), .comparisons = exact.size()};
    }

    SketchedSgdParams params_;
    std::uint64_t seed_;
    std::vector<VelocityMemory> memories_;   ///< per rank
    std::optional<SketchHash> hash_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const SketchedSgdParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<SketchedSgd>(params, ranks, seed);
}

}   // namespace oscar
