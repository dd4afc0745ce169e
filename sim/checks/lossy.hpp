// Checks of lossy methods.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "models/compressor/base/compressor.hpp"
#include "sim/checks/subjects.hpp"

namespace oscar {

/// The first reason why a lossy method cannot run on a bucket of these tensors; nothing if it can. It takes one step of
/// small gradients to find out.
std::optional<std::string> find_lossy_problem(const Parameters& parameters, const Method& method,
                                              std::span<const TensorShape> tensors);

/// ConfigError: a lossy method with payload synthetic, or with a collective that is no AllReduce.
void check_surroundings_of_lossy(const Experiment& experiment);

}   // namespace oscar
