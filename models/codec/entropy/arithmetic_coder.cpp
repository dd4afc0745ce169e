#include "models/codec/entropy/arithmetic_coder.hpp"

#include "models/codec/interface/codec.hpp"

namespace oscar {

namespace {

// A bit, and then its opposite, `follow_bits` times.
void put_with_follow_bits(BitWriter& out, std::uint32_t bit, std::uint32_t follow_bits) {
    out.put(bit, 1);
    for (; follow_bits > 0; --follow_bits) out.put(bit ^ 1u, 1);
}

}   // namespace

std::uint32_t ArithmeticEncoder::put_long(const Emission& emission) {
    const std::uint32_t rest = emission.settled - 1;
    put_with_follow_bits(out_, emission.leading >> rest, emission.held);
    out_.put(emission.leading & low_mask(rest), rest);
    return emission.bits();
}

std::uint64_t ArithmeticEncoder::finish() {
    // At least one of the two middle quarters lies wholly in the interval: 01 names the lower, 10 the upper.
    put_with_follow_bits(out_, interval_.low() < 0x4000 ? 0 : 1, interval_.held() + 1);
    return out_.finish();
}

void ArithmeticDecoder::fail() { throw CorruptStream("symbol stream: code beyond the total of the table"); }

}   // namespace oscar
