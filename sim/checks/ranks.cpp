#include "sim/checks/ranks.hpp"

#include <fmt/format.h>

namespace oscar {

void check_ranks(const ConfigNode& node, const std::vector<std::string>& texts, std::vector<bool>& spoken_of) {
    if (texts.empty()) node.fail("names no rank; write it like [0, 4-7]");
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const ConfigNode entry = node.child(std::to_string(i));
        const auto range = range_of(texts[i]);
        if (!range) entry.fail("'" + texts[i] + "' is neither a rank nor a range of ranks; write it like 5 or 4-7");
        if (range->last >= spoken_of.size())
            entry.fail(fmt::format("there is no rank {}; choose 0 to {}", range->last, spoken_of.size() - 1));
        for (std::uint32_t rank = range->first; rank <= range->last; ++rank) {
            if (spoken_of[rank])
                entry.fail(fmt::format("rank {} was named before; say all that differs of it in one place", rank));
            spoken_of[rank] = true;
        }
    }
}

}   // namespace oscar
