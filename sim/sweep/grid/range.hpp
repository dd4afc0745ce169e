// A range of numbers or quantities in a sweep: {from: 4, to: 16, step: 4}, {from: 64KiB, to: 1024KiB, factor: 2}.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/core/fields.hpp"
#include "sim/config/node.hpp"

namespace oscar {

/// Decimal numbers of up to 12 digits before and 6 after the point, perhaps followed by a unit, which all must share.
struct RangeParams {
    std::string from, to, step;
    std::optional<std::uint32_t> factor;
    static constexpr auto fields() {
        return Entries{
            field("from", &RangeParams::from, "the first value"),
            field("to", &RangeParams::to, "no value is greater; the last one if it is hit exactly"),
            field("step", &RangeParams::step, "difference of neighbours, greater than zero"),
            field("factor", &RangeParams::factor, "ratio of neighbours, instead of step", 2u, 1'000'000u),
        };
    }
};

/// The ascending values of the range at `node`, exact, as a configuration would hold them: at least one, at most
/// 10,000. ConfigError: `from` is beyond `to`, neither or both of step and factor, different units, no such number.
std::vector<std::string> read_range(const ConfigNode& node);

}   // namespace oscar
