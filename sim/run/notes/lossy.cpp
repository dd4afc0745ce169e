#include <fmt/format.h>

#include <cmath>

#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// Listed elements for each cell of three hashes up to which peeling recovers them all. Source: Dietzfelbinger &
/// Walzer, ESA 2019.
constexpr double peeling_threshold = 0.818;

}   // namespace

std::vector<std::string> notes_on_sketches(const Parameters& p) {
    std::vector<std::string> notes;
    const auto look_at = [&](const Method& method, double zeros, double ratio) {
        const double load = (1 - std::pow(zeros, p.ranks)) * ratio;
        if (zeros == 0 || ratio <= 1 || load <= peeling_threshold) return;
        notes.push_back(
            fmt::format("{}: {} ranks with zeros at different places list {:.3g} elements for each cell of a sketch, "
                        "and above {} not "
                        "all can be peeled; the others are estimates. zeros: {:.4g} would do",
                        method.name, p.ranks, load, peeling_threshold,
                        std::pow(1 - std::min(1.0, peeling_threshold / ratio), 1.0 / p.ranks)));
    };
    for (const Method& method : p.methods) {
        if (!method.lossy) continue;
        std::visit(
            [&](const auto& params) {
                if constexpr (requires {
                                  params.zeros;
                                  params.ratio;
                              })
                    look_at(method, params.zeros, params.ratio);
            },
            method.lossy->compressor.params);
    }
    return notes;
}

}   // namespace oscar
