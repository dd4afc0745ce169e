// Several jobs on one network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/collective/algorithms/collectives.hpp"
#include "models/core/fields.hpp"
#include "models/core/units.hpp"

namespace oscar {

/// One of the jobs that share the machine, a collective of its own.
struct JobParams {
    std::string name;
    std::vector<std::string> ranks;
    std::optional<Bytes> size;
    std::optional<Collective> collective;
    Time start;
    static constexpr auto fields() {
        return Entries{
            field("name", &JobParams::name, "name in the report; default: job and its number, from 0"),
            field("ranks", &JobParams::ranks,
                  "ranks of the machine in the order of the job's, as numbers and ranges like [0, 4-7]"),
            field("size", &JobParams::size, "size of each rank's gradient; none: the experiment's", 4_B, 4_GiB),
            field("collective", &JobParams::collective, "schedule of the job; none: the experiment's"),
            field("start", &JobParams::start, "start of all its ranks", 0_ps, 1000_ms),
        };
    }
};

}   // namespace oscar
