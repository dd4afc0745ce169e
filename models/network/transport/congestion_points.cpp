#include "models/network/transport/congestion_points.hpp"

#include <algorithm>

#include "models/core/random.hpp"
#include "models/network/transport/dcqcn.hpp"

namespace oscar {

CongestionPoints::CongestionPoints(const CongestionControl& congestion, std::size_t links, std::uint64_t seed)
    : seed_(seed), joined_(links), queued_(links) {
    if (const auto* dcqcn = std::get_if<DcqcnParams>(&congestion.params)) dcqcn_ = *dcqcn;
}

void CongestionPoints::restart(std::uint64_t seed) {
    seed_ = seed;
    std::ranges::fill(joined_, 0);
}

bool CongestionPoints::joins(EdgeId link, Bytes wire) {
    const Bytes before = queued_[link];
    queued_[link] += wire;
    return dcqcn_ && is_marked(*dcqcn_, before, uniform_at(random_at(~seed_, link.value), joined_[link]++));
}

}   // namespace oscar
