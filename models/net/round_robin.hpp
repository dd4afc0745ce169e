// Round-robin choice.
#pragma once

#include <cstddef>
#include <optional>

namespace oscar {

/// Grants one of n requesters at a time, beginning behind the one granted last; nobody waits for more than n-1 others.
class RoundRobin {
public:
    explicit RoundRobin(std::size_t requesters) : n_(requesters), last_(requesters - 1) {}

    /// The first i behind the last grant for which wants(i) holds; it becomes the last grant when `granted` is called.
    template <class Wants>
    std::optional<std::size_t> choose(Wants&& wants) const {
        for (std::size_t k = 1; k <= n_; ++k)
            if (const std::size_t i = (last_ + k) % n_; wants(i)) return i;
        return std::nullopt;
    }
    /// The same among `requesters`, numbers in ascending order.
    template <class Requesters, class Wants>
    std::optional<std::size_t> choose_among(const Requesters& requesters, Wants&& wants) const {
        const auto behind = requesters.upper_bound(last_);
        for (auto i = behind; i != requesters.end(); ++i)
            if (wants(*i)) return *i;
        for (auto i = requesters.begin(); i != behind; ++i)
            if (wants(*i)) return *i;
        return std::nullopt;
    }
    void granted(std::size_t i) { last_ = i; }

private:
    std::size_t n_, last_;
};

}   // namespace oscar
