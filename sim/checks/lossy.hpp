// Checks of lossy methods.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "models/compressor/base/compressor.hpp"
#include "models/network/topology/routes.hpp"
#include "sim/checks/subjects.hpp"

namespace oscar {

/// The first reason why a lossy method cannot run on a bucket of these tensors and this network; nothing if it can. It
/// takes one step of small gradients to find out.
std::optional<std::string> find_lossy_problem(const Parameters& parameters, const Method& method,
                                              std::span<const TensorShape> tensors, const Routes& routes);

/// Words that a rank holds when the exchanges of a step have ended, over the values of its bucket: of an all-gather it
/// holds every rank's. Found by a small step with one matrix; 0 if there is a find_lossy_problem().
double held_words_per_value(const Parameters& parameters, const Method& method);

/// ConfigError: a lossy method with payload synthetic, or with a collective that is no AllReduce.
void check_surroundings_of_lossy(const Experiment& experiment);

}   // namespace oscar
