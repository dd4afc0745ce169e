#include "models/compressor/base/compressor.hpp"

#include <utility>

namespace oscar {

ComputeCost& ComputeCost::operator+=(const ComputeCost& other) {
    elements += other.elements;
    comparisons += other.comparisons;
    hashes += other.hashes;
    additions += other.additions;
    multiplications += other.multiplications;
    draws += other.draws;
    rounds += other.rounds;
    return *this;
}

Exchange equal_exchange(std::string what, CollectiveKind carrier, std::uint64_t bytes, std::uint64_t floats,
                        std::uint32_t ranks, std::vector<std::uint32_t> after) {
    Exchange exchange;
    exchange.what = std::move(what);
    exchange.carrier = carrier;
    exchange.payload.assign(ranks, bytes);
    exchange.padded = bytes;
    exchange.floats = floats;
    exchange.after = std::move(after);
    return exchange;
}

}   // namespace oscar
