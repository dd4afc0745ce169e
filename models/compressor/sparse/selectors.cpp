#include "models/compressor/sparse/selectors.hpp"

#include <numeric>

#include "models/compressor/base/magnitude.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

const RandomKSelect* lottery(const Selector& selector) { return std::get_if<RandomKSelect>(&selector.params); }

}   // namespace

Positions select(const Selector& selector, const SelectionInput& input, ComputeCost& operations) {
    check_factor(input.factor);
    if (input.factor == 1) {
        Positions all(input.values.size());
        std::iota(all.begin(), all.end(), 0u);
        return all;
    }
    return std::visit([&](const auto& params) { return select(params, input, operations); }, selector.params);
}

Positions select_again(const Selector& selector, const SelectionInput& input, const Positions& first, double second,
                       ComputeCost& operations) {
    if (first.empty()) return {};
    const std::vector<float> compressed = gather(input.values, first);
    operations.elements += first.size();
    Positions result = select(selector, {compressed, second, random_at(input.key, ~std::uint64_t{0})}, operations);
    for (std::uint32_t& position : result) position = first[position];
    return result;
}

bool positions_are_shared(const Selector& selector) {
    return lottery(selector) != nullptr && lottery(selector)->lots == Lots::shared;
}

bool has_fixed_count(const Selector& selector) {
    return std::visit([](const auto& params) { return has_fixed_count(params); }, selector.params);
}

float value_scale(const Selector& selector, std::uint64_t elements, std::uint64_t sent) {
    const bool scaled = lottery(selector) != nullptr && lottery(selector)->unbiased;
    return scaled ? static_cast<float>(static_cast<double>(elements) / static_cast<double>(sent)) : 1.0f;
}

bool takes_error_feedback(const Selector& selector) {
    return lottery(selector) == nullptr || !lottery(selector)->unbiased;
}

std::uint64_t random_key(const Selector& selector, std::uint64_t seed, std::uint64_t step, std::uint64_t tensor,
                         std::uint64_t rank) {
    const std::uint64_t of_tensor = random_at(random_at(seed, step), tensor);
    return positions_are_shared(selector) ? of_tensor : random_at(of_tensor, rank);
}

}   // namespace oscar
