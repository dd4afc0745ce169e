// Background traffic of an experiment, with errors where they were written.
#pragma once

#include <optional>
#include <string>

#include "models/network/topology/routes.hpp"
#include "sim/experiment/parameters.hpp"

namespace oscar {

/// Whether there is any.
bool has_background(const Parameters& parameters);

/// ConfigError: a sender that is none or named twice, a pattern that so few ranks or these senders do not allow.
void check_background(const Experiment& experiment);

/// ConfigError: a message that may come has no way, or its receiver none back for answers.
void check_background_ways(const Experiment& experiment, const Routes& routes);

/// What and how much; one line.
std::string note_on_background(const Parameters& parameters);

/// The link that background traffic overloads most, one line; nothing if each carries what it is offered.
std::optional<std::string> note_on_overload(const Parameters& parameters, const Routes& routes);

}   // namespace oscar
