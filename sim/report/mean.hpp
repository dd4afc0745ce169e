// Means over the iterations of a run.
#pragma once

#include <cstdint>
#include <functional>

namespace oscar {

/// The mean of figure(item), a member or a function, in picoseconds; rounded to nearest. Precondition: at least one
/// item.
template <class Items, class Figure>
std::int64_t mean_ps(const Items& items, Figure figure) {
    std::int64_t sum = 0;
    for (const auto& item : items) sum += std::invoke(figure, item);
    const auto n = static_cast<std::int64_t>(items.size());
    return (sum + n / 2) / n;
}

}   // namespace oscar
