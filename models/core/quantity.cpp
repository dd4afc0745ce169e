#include "models/core/quantity.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "models/core/uint128.hpp"

namespace oscar {
namespace {

struct Unit {
    std::string_view name;
    std::uint64_t scale;   // in the smallest unit of the quantity
};

// Each table runs from small to large; the first `written` units are the ones that to_text uses.
constexpr std::array time_units{Unit{"ps", 1}, Unit{"ns", 1'000}, Unit{"us", 1'000'000}, Unit{"ms", 1'000'000'000},
                                Unit{"s", 1'000'000'000'000}};
constexpr std::array byte_units{
    Unit{"B", 1},      Unit{"KiB", 1ULL << 10}, Unit{"MiB", 1ULL << 20},  Unit{"GiB", 1ULL << 30},
    Unit{"KB", 1'000}, Unit{"MB", 1'000'000},   Unit{"GB", 1'000'000'000}};
constexpr std::array bandwidth_units{Unit{"Mbps", 1},     Unit{"Gbps", 1'000}, Unit{"Tbps", 1'000'000}, Unit{"MBps", 8},
                                     Unit{"GBps", 8'000}, Unit{"MB/s", 8},     Unit{"GB/s", 8'000}};
constexpr std::array frequency_units{Unit{"kHz", 1}, Unit{"MHz", 1'000}, Unit{"GHz", 1'000'000}};

[[noreturn]] void fail(std::string_view text, std::string_view what, std::string_view example) {
    throw BadQuantity("'" + std::string(text) + "' " + std::string(what) + "; write it like " + std::string(example));
}

std::string names(std::span<const Unit> units) {
    std::string list;
    for (const Unit& unit : units) list += (list.empty() ? "" : " ") + std::string(unit.name);
    return list;
}

/// A non-negative decimal number: digits * 10^-fraction_digits.
struct Decimal {
    std::uint64_t digits = 0;
    int fraction_digits = 0;
};

/// Reads the number at the front of `text` and removes it; false if there is none or it has more than 18 digits.
bool take_decimal(std::string_view& text, Decimal& number) {
    std::size_t i = 0, digits = 0;
    bool fraction = false;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
        } else if (text[i] >= '0' && text[i] <= '9') {
            number.digits = number.digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
            number.fraction_digits += fraction;
            if (++digits > 18) return false;
        } else {
            break;
        }
    }
    text.remove_prefix(i);
    return digits > 0;
}

std::uint64_t parse(std::string_view text, std::span<const Unit> units, std::string_view example) {
    std::string_view rest = text;
    Decimal number;
    if (!take_decimal(rest, number)) fail(text, "is no quantity", example);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (rest.empty()) fail(text, "lacks its unit (" + names(units) + ")", example);
    for (const Unit& unit : units) {
        if (unit.name != rest) continue;
        std::uint64_t divisor = 1;
        for (int i = 0; i < number.fraction_digits; ++i) divisor *= 10;
        const UInt128 product = static_cast<UInt128>(number.digits) * unit.scale;
        if (product % divisor != 0) fail(text, "is finer than 1 " + std::string(units.front().name), example);
        if (product / divisor > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 16))
            fail(text, "is too large", example);
        return static_cast<std::uint64_t>(product / divisor);
    }
    fail(text, "has an unknown unit; known: " + names(units), example);
}

std::uint64_t parse_positive(std::string_view text, std::span<const Unit> units, std::string_view example) {
    const std::uint64_t value = parse(text, units, example);
    if (value == 0) fail(text, "must be greater than zero", example);
    return value;
}

std::string write(std::uint64_t value, std::span<const Unit> units) {
    const Unit* best = &units.front();
    for (const Unit& unit : units)
        if (value % unit.scale == 0 && value >= unit.scale) best = &unit;
    return std::to_string(value / best->scale) + std::string(best->name);
}

}   // namespace

Time parse_time(std::string_view text) { return {static_cast<std::int64_t>(parse(text, time_units, "500ns"))}; }
Bytes parse_bytes(std::string_view text) { return {parse(text, byte_units, "64KiB")}; }
Bandwidth parse_bandwidth(std::string_view text) { return {parse_positive(text, bandwidth_units, "400Gbps")}; }
Frequency parse_frequency(std::string_view text) { return {parse_positive(text, frequency_units, "1GHz")}; }

std::string to_text(Time time) {
    const std::string magnitude = write(static_cast<std::uint64_t>(time.ps < 0 ? -time.ps : time.ps), time_units);
    return time.ps < 0 ? "-" + magnitude : magnitude;
}
std::string to_text(Bytes bytes) { return write(bytes.count, std::span(byte_units).first(4)); }
std::string to_text(Bandwidth rate) { return write(rate.mbps, std::span(bandwidth_units).first(3)); }
std::string to_text(Frequency frequency) { return write(frequency.khz, frequency_units); }

}   // namespace oscar
