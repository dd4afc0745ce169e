// Checks of every compressor's input, and the reference sum for its error.
#pragma once

#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"

namespace oscar {

using Gradients = std::span<const std::span<const float>>;   ///< per rank

/// Throws std::invalid_argument unless there are `ranks` gradients, equally long, of finite values, and `tensors` tile
/// them in order, none of them empty. Names the rank and the element.
void check_input(Gradients gradients, std::span<const TensorShape> tensors, std::size_t ranks);

/// The sum of the ranks' gradients, element by element, added in fp32 in the order of the ranks.
std::vector<float> sum_of(Gradients gradients);
/// sum_of, divided by the number of ranks.
std::vector<float> mean_of(Gradients gradients);
/// Views of the gradients of all ranks.
std::vector<std::span<const float>> views(const std::vector<std::vector<float>>& gradients);

}   // namespace oscar
