#include "models/codec/arithmetic_coder.hpp"

#include "models/codec/codec.hpp"

namespace oscar {

namespace {

// A bit, and `opposites` times its opposite behind it.
void put_with_opposites(BitWriter& out, std::uint32_t bit, std::uint32_t opposites) {
    out.put(bit, 1);
    for (; opposites > 0; --opposites) out.put(bit ^ 1u, 1);
}

}   // namespace

std::uint32_t ArithmeticEncoder::put_long(const Emission& emission) {
    const std::uint32_t rest = emission.settled - 1;
    put_with_opposites(out_, emission.leading >> rest, emission.held);
    out_.put(emission.leading & low_mask(rest), rest);
    return emission.bits();
}

void ArithmeticEncoder::finish() {
    // At least one of the two middle quarters lies wholly in the interval: 01 names the lower, 10 the upper.
    put_with_opposites(out_, interval_.low() < 0x4000 ? 0 : 1, interval_.held() + 1);
}

ArithmeticDecoder::ArithmeticDecoder(std::span<const std::byte> stream, const Cumulative& cumulative)
    : in_(stream), cumulative_(cumulative), ahead_(in_.get(16)) {
    for (std::size_t row = 1; row < table_rows; ++row) starts_[row - 1] = cumulative[row];
    starts_.back() = 2 * probability_total;
}

void ArithmeticDecoder::fail() { throw CorruptStream("symbol stream: code beyond the total of the table"); }

}   // namespace oscar
