#include "models/compressor/sparse/sparsifier.hpp"

#include <stdexcept>
#include <string>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

/// The factor of a tensor and, if there are two levels, of what that left.
struct Levels {
    double first = 1, second = 1;
};

class Sparsifier final : public Adjustable {
public:
    Sparsifier(Selector selector, Levels levels, const SparseWire& wire, std::uint32_t ranks, std::uint64_t seed)
        : selector_(selector), levels_(levels), wire_(wire), ranks_(ranks), seed_(seed) {
        check_wire(wire);
        check_factor(levels.first);
        check_factor(levels.second);
    }

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        if (!factors_.empty() && factors_.size() != tensors.size())
            throw std::invalid_argument(std::to_string(factors_.size()) + " factors for " +
                                        std::to_string(tensors.size()) + " tensors; there must be one of each");
        std::vector<ComputeCost> operations(ranks_);
        std::vector<SparseMessage> messages;
        for (std::size_t t = 0; t < tensors.size(); ++t)
            messages.push_back(message(gradients, tensors[t], t, operations));
        ++steps_;
        const MessageForm form{positions_are_shared(selector_), has_fixed_count(selector_)};
        CompressionResult result = sent_step(std::move(messages), ranks_, gradients[0].size(), wire_, form, carrier);
        result.operations += busiest(operations);
        return result;
    }
    bool takes_error_feedback() const override { return oscar::takes_error_feedback(selector_); }
    void set_factors(std::vector<double> factors) override { factors_ = std::move(factors); }
    void reset() override { steps_ = 0; }

private:
    SparseMessage message(Gradients gradients, const TensorShape& tensor, std::size_t t,
                          std::vector<ComputeCost>& operations) const {
        SparseMessage result{tensor.begin, tensor.end, {}, {}};
        for (std::size_t r = 0; r < ranks_; ++r) {
            const auto values = gradients[r].subspan(tensor.begin, tensor.end - tensor.begin);
            Positions positions = chosen(
                {values, factors_.empty() ? levels_.first : factors_[t], random_key(selector_, seed_, steps_, t, r)},
                operations[r]);
            std::vector<float> sent = gather(values, positions);
            const float scale = value_scale(selector_, values.size(), positions.size());
            if (scale != 1)
                for (float& value : sent) value *= scale;
            result.positions.push_back(std::move(positions));
            result.values.push_back(std::move(sent));
        }
        return result;
    }

    Positions chosen(const SelectionInput& input, ComputeCost& operations) const {
        Positions first = select(selector_, input, operations);
        return levels_.second == 1 ? first : select_again(selector_, input, first, levels_.second, operations);
    }

    Selector selector_;
    Levels levels_;
    SparseWire wire_;
    std::uint32_t ranks_;
    std::uint64_t seed_;
    std::uint64_t steps_ = 0;
    std::vector<double> factors_;
};

}   // namespace

std::unique_ptr<Adjustable> make_sparsifier(const Selector& selector, double factor, const SparseWire& wire,
                                            std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<Sparsifier>(selector, Levels{factor, 1}, wire, ranks, seed);
}

std::unique_ptr<Compressor> make_compressor(const MultiLevelParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<Sparsifier>(params.compressor, Levels{params.first, params.second}, params, ranks, seed);
}

}   // namespace oscar
