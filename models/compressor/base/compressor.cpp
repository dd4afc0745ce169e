#include "models/compressor/base/compressor.hpp"

#include <array>

#include "models/compressor/base/carrier.hpp"

namespace oscar {

namespace {

constexpr std::array counts{&ComputeCost::elements,  &ComputeCost::comparisons,     &ComputeCost::hashes,
                            &ComputeCost::additions, &ComputeCost::multiplications, &ComputeCost::draws,
                            &ComputeCost::rounds};
static_assert(sizeof(ComputeCost) == counts.size() * sizeof(std::uint64_t));

}   // namespace

ComputeCost& ComputeCost::operator+=(const ComputeCost& other) {
    for (const auto count : counts) this->*count += other.*count;
    return *this;
}

ComputeCost& ComputeCost::operator-=(const ComputeCost& other) {
    for (const auto count : counts) this->*count -= other.*count;
    return *this;
}

ComputeCost work_after_exchanges(const CompressionResult& step) {
    ComputeCost work = step.operations;
    for (const WordExchange& exchange : step.exchanges) (work -= exchange.encoding) -= exchange.decoding;
    return work;
}

CompressionResult Compressor::step(std::span<const std::span<const float>> gradients,
                                   std::span<const TensorShape> tensors) {
    RankOrderCarrier carrier;
    return step(gradients, tensors, carrier);
}

}   // namespace oscar
