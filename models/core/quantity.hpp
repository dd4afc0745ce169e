// Quantities as text, exact both ways: "400Gbps", "500ns", "64KiB", "1.5GHz".
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "models/core/units.hpp"

namespace oscar {

/// Text that is no quantity of the wanted kind. what() says what is wrong and how to write it right.
struct BadQuantity : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

/// Decimal prefixes are 10^3, Ki Mi Gi are 2^10; b is a bit, B a byte. A bare number is an error, for its unit is
/// unknown. Fractions and exponents (1.5us, 1e3ns) are allowed if the result is a whole number of the smallest unit
/// (ps, B, Mbit/s, kHz).
Time parse_time(std::string_view text);     ///< ps ns us (also µs) ms s
Bytes parse_bytes(std::string_view text);   ///< B KB MB GB KiB MiB GiB
/// Mbps (also Mbit/s) Gbps Tbps, MBps (also MB/s) GBps; greater than zero.
Bandwidth parse_bandwidth(std::string_view text);
Frequency parse_frequency(std::string_view text);   ///< kHz MHz GHz; greater than zero

/// A whole number from 0 to 2^59 with an exponent, like 25e6; none if `text` is anything else.
std::optional<std::uint64_t> parse_count(std::string_view text);

/// The shortest exact text. Law: parse(to_text(q)) == q.
std::string to_text(Time time);
std::string to_text(Bytes bytes);           ///< whole bytes, in B KiB MiB GiB
std::string to_text(Bandwidth rate);        ///< in Mbps Gbps Tbps
std::string to_text(Frequency frequency);   ///< in kHz MHz GHz

}   // namespace oscar
