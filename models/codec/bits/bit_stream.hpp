// Streams of bits in bytes, most significant bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace oscar {

/// Bytes that hold `bits` bits.
constexpr std::uint64_t bytes_for(std::uint64_t bits) { return (bits + 7) / 8; }

/// Appends bits to bytes that others own. A copy goes on where the original stands, which then is out of use.
class BitWriter {
public:
    explicit BitWriter(std::vector<std::byte>& out) : out_(&out) {}

    /// Appends the lowest `bits` bits of `value`. Precondition: bits <= 32 and value < 2^bits.
    void put(std::uint32_t value, std::uint32_t bits) {
        held_ = held_ << bits | value;
        fill_ += bits;
        if (fill_ >= 32) flush_word();
    }
    /// Bits put so far, the padding of the last byte not counted.
    std::uint64_t bits() const { return words_ * 32 + fill_; }

    /// Ends the stream: fills the last byte with zeros. Returns the bits before that.
    std::uint64_t finish() {
        const std::uint64_t total = bits();
        if (const auto rest = static_cast<std::uint32_t>(total % 8)) put(0, 8 - rest);
        for (; fill_ > 0; fill_ -= 8) out_->push_back(static_cast<std::byte>(held_ >> (fill_ - 8) & 0xFF));
        return total;
    }

private:
    void flush_word() {
        fill_ -= 32;
        ++words_;
        const auto word = static_cast<std::uint32_t>(held_ >> fill_);
        const std::byte bytes[] = {static_cast<std::byte>(word >> 24), static_cast<std::byte>(word >> 16 & 0xFF),
                                   static_cast<std::byte>(word >> 8 & 0xFF), static_cast<std::byte>(word & 0xFF)};
        out_->insert(out_->end(), bytes, bytes + 4);
    }

    std::vector<std::byte>* out_;
    std::uint64_t held_ = 0;    // the lowest fill_ bits are not yet in out_
    std::uint32_t fill_ = 0;    // at most 31 between calls
    std::uint64_t words_ = 0;   // 32-bit words already in out_
};

/// Reads bits from bytes that others own; past their end it reads zeros.
class BitReader {
public:
    explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    /// The next `bits` bits. Precondition: bits <= 32.
    std::uint32_t get(std::uint32_t bits) {
        if (fill_ < bits) refill();
        fill_ -= bits;
        return static_cast<std::uint32_t>(held_ >> fill_ & ((std::uint64_t{1} << bits) - 1));
    }
    /// Bits taken so far, those past the end included.
    std::uint64_t position() const { return words_ * 32 - fill_; }
    /// True if bits past the end were taken.
    bool overran() const { return position() > bytes_.size() * 8; }
    /// Takes the rest of a byte that was begun; false if a bit of it is set, which no BitWriter leaves.
    bool skip_padding() { return get(static_cast<std::uint32_t>(-position() % 8)) == 0; }

private:
    void refill() {
        const std::size_t at = words_ * 4;
        std::uint32_t word = 0;
        for (std::size_t i = at; i < at + 4; ++i)
            word = word << 8 | (i < bytes_.size() ? static_cast<std::uint32_t>(bytes_[i]) : 0u);
        held_ = held_ << 32 | word;
        fill_ += 32;
        ++words_;
    }

    std::span<const std::byte> bytes_;
    std::uint64_t held_ = 0;   // the lowest fill_ bits are not yet taken
    std::uint32_t fill_ = 0;
    std::uint64_t words_ = 0;   // 32-bit words loaded, those past the end included
};

}   // namespace oscar
