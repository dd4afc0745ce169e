#include "models/compressor/sparse/strom.hpp"

#include <stdexcept>
#include <string>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/magnitude.hpp"

namespace oscar {
namespace {

constexpr std::uint32_t strom_sign = 1u << 31;   ///< of a word whose element is negative

class Strom final : public Compressor {
public:
    Strom(double threshold, std::uint32_t ranks) : threshold_(static_cast<float>(threshold)), ranks_(ranks) {
        if (!(threshold >= 1e-12 && threshold <= 1e6))
            throw std::invalid_argument("threshold is " + std::to_string(threshold) + "; write one from 1e-12 to 1e6");
    }

    CompressionResult step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) override {
        check_input(gradients, tensors, ranks_);
        const std::uint64_t elements = gradients[0].size();
        check_strom_length(elements);
        RankWords messages;
        for (const auto gradient : gradients) messages.of_ranks.push_back(message(gradient));
        CompressionResult result;
        for (const std::vector<Symbol>& own : messages.of_ranks) add_message(own, result.sent.emplace_back(elements));
        StepExchanges traffic(carrier, result);
        const std::vector<std::size_t> sizes = told_sizes(messages, elements, traffic);
        const std::vector<Symbol> left = traffic.carry({.what = "indices and signs",
                                                        .carrier = CollectiveKind::all_gather,
                                                        .floats = longest(messages),
                                                        .after = {0}},
                                                       messages);
        result.mean = mean_of_messages(left, sizes, elements);
        result.operations = operations_of(messages, elements);
        return result;
    }
    void reset() override {}

private:
    /// A word for each element that reaches the threshold.
    std::vector<Symbol> message(std::span<const float> values) const {
        std::vector<Symbol> words;
        for (const std::uint32_t position : positions_at_least(values, threshold_))
            words.push_back(static_cast<Symbol>(position | (values[position] < 0 ? strom_sign : 0)));
        return words;
    }

    /// Adds what the words of a message say.
    void add_message(std::span<const Symbol> words, std::vector<float>& sum) const {
        for (const Symbol symbol : words) {
            const auto word = static_cast<std::uint32_t>(symbol);
            sum[word & ~strom_sign] += (word & strom_sign) != 0 ? -threshold_ : threshold_;
        }
    }

    /// The words of each rank's message, as the ranks tell one another. Padding would say +threshold of element 0.
    std::vector<std::size_t> told_sizes(const RankWords& messages, std::uint64_t elements,
                                        StepExchanges& traffic) const {
        RankWords counts;   // a message without an entry still represents all values
        counts.represented = ranks_ * elements;
        for (const std::vector<Symbol>& own : messages.of_ranks)
            counts.of_ranks.push_back({static_cast<Symbol>(own.size()), 0});   // 8 bytes, as PyTorch's
        const auto left = traffic.carry({.what = "sizes", .carrier = CollectiveKind::all_gather}, counts);
        std::vector<std::size_t> sizes(ranks_);
        for (std::size_t r = 0; r < ranks_; ++r) sizes[r] = static_cast<std::uint32_t>(left[2 * r]);
        return sizes;
    }

    /// Of the gathered words: rank after rank, each padded to the longest.
    std::vector<float> mean_of_messages(std::span<const Symbol> words, std::span<const std::size_t> sizes,
                                        std::uint64_t elements) const {
        std::vector<float> mean(elements);
        for (std::size_t r = 0; r < ranks_; ++r) add_message(part_of(words, ranks_, r).first(sizes[r]), mean);
        for (float& value : mean) value /= static_cast<float>(ranks_);
        return mean;
    }

    /// Of the rank that sends most: it compares each element, writes its message, adds all messages and divides.
    static ComputeCost operations_of(const RankWords& messages, std::uint64_t elements) {
        ComputeCost result;
        for (const std::vector<Symbol>& own : messages.of_ranks) result.additions += own.size();
        result.comparisons = elements;
        result.elements = 2 * elements + longest(messages) + result.additions;
        return result;
    }

    float threshold_;
    std::uint32_t ranks_;
};

}   // namespace

std::unique_ptr<Compressor> make_compressor(const StromParams& params, std::uint32_t ranks, std::uint64_t) {
    return std::make_unique<Strom>(params.threshold, ranks);
}

void check_strom_length(std::uint64_t elements) {
    if (elements > std::uint64_t{strom_sign})
        throw std::invalid_argument("strom numbers elements by 31 bits, and " + std::to_string(elements) +
                                    " are more than 2^31; split the gradient into buckets");
}

}   // namespace oscar
