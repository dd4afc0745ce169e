#include <fmt/format.h>

#include <cmath>

#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// Listed elements for each cell of three hashes up to which peeling recovers them all. Source: Dietzfelbinger &
/// Walzer, ESA 2019.
constexpr double peeling_threshold = 0.818;

std::optional<std::string> note_on_load(const std::string& name, std::uint32_t ranks, double zeros, double ratio) {
    const double load = (1 - std::pow(zeros, ranks)) * ratio;
    if (zeros == 0 || ratio <= 1 || load <= peeling_threshold) return std::nullopt;
    return fmt::format(
        "{}: {} ranks with zeros at different places list {:.3g} elements for each cell of a sketch, and above {} not "
        "all can be peeled; the others are estimates. zeros: {:.4g} would do",
        name, ranks, load, peeling_threshold, std::pow(1 - std::min(1.0, peeling_threshold / ratio), 1.0 / ranks));
}

std::optional<std::string> note_on_regimes(const std::string& name, const AccordionParams& params) {
    if (std::holds_alternative<PowerSgdParams>(params.compressor.params) || params.low <= params.high)
        return std::nullopt;
    return fmt::format(
        "{}: low: {:g} compresses critical regimes more than high: {:g} compresses the others; Accordion has it the "
        "other way round",
        name, params.low, params.high);
}

template <class Params>
std::optional<std::string> note_on_parameters(const Params& params, const std::string& name, std::uint32_t ranks) {
    if constexpr (std::is_same_v<Params, AccordionParams>) return note_on_regimes(name, params);
    else if constexpr (requires { params.zeros, params.ratio; })
        return note_on_load(name, ranks, params.zeros, params.ratio);
    else return std::nullopt;
}

}   // namespace

std::vector<std::string> notes_on_lossy(const Parameters& p) {
    std::vector<std::string> notes;
    for (const Method& method : p.methods) {
        if (!method.lossy) continue;
        const auto note =
            std::visit([&](const auto& params) { return note_on_parameters(params, method.name, p.ranks); },
                       method.lossy->compressor.params);
        if (note) notes.push_back(*note);
        if (method.lossy->feedback == false)
            notes.push_back(method.name +
                            ": feedback: false, so what a step leaves out is lost, not added to the next step");
    }
    return notes;
}

}   // namespace oscar
