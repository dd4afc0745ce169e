#include "models/compressor/base/compressor.hpp"

#include "models/compressor/base/carrier.hpp"

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

CompressionResult Compressor::step(std::span<const std::span<const float>> gradients,
                                   std::span<const TensorShape> tensors) {
    RankOrderCarrier carrier;
    return step(gradients, tensors, carrier);
}

}   // namespace oscar
