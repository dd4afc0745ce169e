#include "models/core/spans.hpp"

#include <algorithm>

namespace oscar {
namespace {

/// Numbers near 0 on both sides become small ones.
std::uint64_t folded(Time time) {
    return (static_cast<std::uint64_t>(time.ps) << 1) ^ static_cast<std::uint64_t>(time.ps >> 63);
}
Time unfolded(std::uint64_t number) { return {static_cast<std::int64_t>((number >> 1) ^ (~(number & 1) + 1))}; }

}   // namespace

void Spans::push_back(Span span) {
    const Time distance = span.begin - origin_ - last_, length = span.end - span.begin;
    if (run_.count > 0 && run_.distance == distance && run_.length == length) {
        ++run_.count;
    } else {
        if (run_.count > 0) {
            write(run_.distance);
            write(run_.length);
            write(run_.count);
        }
        run_ = {distance, length, 1};
    }
    last_ += distance;
    ++size_;
}

/// Seven bits in each byte, the lowest first; the last has its top bit clear.
void Spans::write(std::uint64_t number) {
    for (; number >= 128; number >>= 7) bytes_.push_back(static_cast<std::uint8_t>(number | 128));
    bytes_.push_back(static_cast<std::uint8_t>(number));
}
void Spans::write(Time time) { write(folded(time)); }

std::uint64_t Spans::read(std::size_t& byte) const {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint8_t next = bytes_[byte++];
        number |= std::uint64_t{next & 127u} << shift;
        if (next < 128) return number;
    }
}
Time Spans::read_time(std::size_t& byte) const { return unfolded(read(byte)); }

void Spans::Iterator::read() {
    if (run_.count == 0 && byte_ < all_->bytes_.size()) {
        run_.distance = all_->read_time(byte_);
        run_.length = all_->read_time(byte_);
        run_.count = all_->read(byte_);
    } else if (run_.count == 0) {
        run_ = all_->run_;
    }
    begin_ += run_.distance;
    --run_.count;
}

bool operator==(const Spans& a, const Spans& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
bool operator==(const Spans& a, const std::vector<Span>& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}

}   // namespace oscar
