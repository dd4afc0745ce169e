#include "models/core/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "models/core/physical.hpp"
#include "models/core/quantity_units.hpp"
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
constexpr std::array bandwidth_units{
    Unit{"Mbps", 1},           Unit{"Gbps", 1'000}, Unit{"Tbps", 1'000'000}, Unit{"Mbit/s", 1}, Unit{"Gbit/s", 1'000},
    Unit{"Tbit/s", 1'000'000}, Unit{"MBps", 8},     Unit{"GBps", 8'000},     Unit{"MB/s", 8},   Unit{"GB/s", 8'000}};
constexpr std::array frequency_units{Unit{"kHz", 1}, Unit{"MHz", 1'000}, Unit{"GHz", 1'000'000}};

// Of real numbers: each unit is a thousand (area: a million) of the one before it.
constexpr std::array area_units{Unit{"nm2", 1}, Unit{"um2", 1'000'000}, Unit{"mm2", 1'000'000'000'000}};
constexpr std::array energy_units{Unit{"aJ", 1},
                                  Unit{"fJ", 1'000},
                                  Unit{"pJ", 1'000'000},
                                  Unit{"nJ", 1'000'000'000},
                                  Unit{"uJ", 1'000'000'000'000},
                                  Unit{"mJ", 1'000'000'000'000'000},
                                  Unit{"J", 1'000'000'000'000'000'000}};
constexpr std::array power_units{Unit{"pW", 1}, Unit{"nW", 1'000}, Unit{"uW", 1'000'000}, Unit{"mW", 1'000'000'000},
                                 Unit{"W", 1'000'000'000'000}};
constexpr std::array energy_per_bit_units{Unit{"aJ/bit", 1}, Unit{"fJ/bit", 1'000}, Unit{"pJ/bit", 1'000'000},
                                          Unit{"nJ/bit", 1'000'000'000}};
constexpr std::uint64_t million = 1'000'000;   // the scale of um2, pJ, uW and pJ/bit, in which the types count

[[noreturn]] void fail(std::string_view text, std::string_view what, std::string_view example) {
    throw BadQuantity("'" + std::string(text) + "' " + std::string(what) + "; write it like " + std::string(example));
}

std::string names(std::span<const Unit> units) {
    std::string list;
    for (const Unit& unit : units) list += (list.empty() ? "" : " ") + std::string(unit.name);
    return list;
}

/// A non-negative decimal number: digits * 10^exponent.
struct Decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads an exponent like e3 or e-6 at the front of `text` and removes it; 0, and nothing removed, if there is none.
/// One of three and more digits counts as 100: no quantity has so many.
int take_exponent(std::string_view& text) {
    if (text.empty() || (text[0] != 'e' && text[0] != 'E')) return 0;
    const bool negative = text.size() > 1 && text[1] == '-', sign = negative || (text.size() > 1 && text[1] == '+');
    const std::size_t first = sign ? 2 : 1;
    std::size_t end = first;
    int exponent = 0;
    for (; end < text.size() && is_digit(text[end]); ++end) exponent = std::min(exponent * 10 + (text[end] - '0'), 100);
    if (end == first) return 0;
    text.remove_prefix(end);
    return negative ? -exponent : exponent;
}

/// Reads the number at the front of `text` and removes it; false if there is none or it has more than 18 digits after
/// leading zeros.
bool take_decimal(std::string_view& text, Decimal& number) {
    std::size_t i = 0, digits = 0, significant = 0;
    bool fraction = false;
    for (; i < text.size(); ++i) {
        if (text[i] == '.' && !fraction) {
            fraction = true;
        } else if (is_digit(text[i])) {
            number.digits = number.digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
            number.exponent -= fraction;
            ++digits;
            significant += significant > 0 || text[i] != '0';
            if (significant > 18) return false;
        } else {
            break;
        }
    }
    text.remove_prefix(i);
    if (digits > 0) number.exponent += take_exponent(text);
    return digits > 0;
}

constexpr UInt128 most_quantity = static_cast<UInt128>(std::numeric_limits<std::int64_t>::max() / 16);

/// `number` times `scale`, or more than most_quantity if it exceeds that; none if it is no whole number.
std::optional<UInt128> product(Decimal number, std::uint64_t scale) {
    UInt128 value = static_cast<UInt128>(number.digits) * scale;
    for (; number.exponent < 0 && value != 0; ++number.exponent) {
        if (value % 10 != 0) return std::nullopt;
        value /= 10;
    }
    for (; number.exponent > 0 && value != 0 && value <= most_quantity; --number.exponent) value *= 10;
    return value;
}

constexpr std::array micro_spellings{std::string_view("\u00b5s"),
                                     std::string_view("\u03bcs")};   // micro sign, Greek letter

std::string_view spelling(std::string_view unit) {
    return std::ranges::find(micro_spellings, unit) != micro_spellings.end() ? "us" : unit;
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a unit is `written` but for the case of letters; b and B are other units where the family has both.
bool is_in_other_case(std::string_view written, std::string_view unit, bool has_bits) {
    return std::ranges::equal(written, unit, [&](char a, char b) {
        return lower_case(a) == lower_case(b) && (!has_bits || (a == 'b') == (b == 'b'));
    });
}

/// " (did you mean 50Gbps?)" for a unit in the wrong case.
std::string suggestion(std::string_view text, std::string_view written, std::span<const Unit> units) {
    const auto has = [&](char c) {
        return std::ranges::any_of(units, [&](const Unit& unit) { return unit.name.find(c) != unit.name.npos; });
    };
    const bool has_bits = has('b') && has('B');
    const auto meant =
        std::ranges::find_if(units, [&](const Unit& unit) { return is_in_other_case(written, unit.name, has_bits); });
    if (meant == units.end()) return "";
    const std::string_view number = text.substr(0, text.size() - written.size());
    return " (did you mean " + std::string(number) + std::string(meant->name) + "?)";
}

/// A number and its unit.
struct Written {
    Decimal number;
    Unit unit;
};

Written split(std::string_view text, std::span<const Unit> units, std::string_view example) {
    std::string_view rest = text;
    Decimal number;
    if (!take_decimal(rest, number)) fail(text, "is no quantity", example);
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    if (rest.empty()) fail(text, "lacks its unit (" + names(units) + ")", example);
    for (const Unit& unit : units)
        if (unit.name == spelling(rest)) return {number, unit};
    if (rest.front() == ',')
        fail(text, "has a comma in its number, which takes a decimal point and no marks of thousands", example);
    fail(text, "has an unknown unit" + suggestion(text, rest, units) + "; known: " + names(units), example);
}

std::uint64_t parse(std::string_view text, std::span<const Unit> units, std::string_view example) {
    const auto [number, unit] = split(text, units, example);
    const auto value = product(number, unit.scale);
    if (!value) fail(text, "is finer than 1 " + std::string(units.front().name), example);
    if (*value > most_quantity) fail(text, "is too large", example);
    return static_cast<std::uint64_t>(*value);
}

/// In the unit whose scale is a million: the double nearest to the decimal number.
double parse_real(std::string_view text, std::span<const Unit> units, std::string_view example) {
    auto [number, unit] = split(text, units, example);
    for (std::uint64_t scale = unit.scale; scale > million; scale /= 10) ++number.exponent;
    for (std::uint64_t scale = unit.scale; scale < million; scale *= 10) --number.exponent;
    const std::string decimal = std::to_string(number.digits) + "e" + std::to_string(number.exponent);
    double value = 0;
    const auto [end, error] = std::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
    if (error != std::errc{} || value > 1e18) fail(text, "is out of range", example);
    return value;
}

std::string write_real(double value, std::string_view unit) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    return std::string(text.data(), end) + std::string(unit);
}

std::uint64_t parse_positive(std::string_view text, std::span<const Unit> units, std::string_view example) {
    const std::uint64_t value = parse(text, units, example);
    if (value == 0) fail(text, "must be greater than zero", example);
    return value;
}

std::vector<std::string_view> names_of(std::span<const Unit> units) {
    std::vector<std::string_view> result;
    for (const Unit& unit : units) result.push_back(unit.name);
    return result;
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
Area parse_area(std::string_view text) { return {parse_real(text, area_units, "775um2")}; }
Energy parse_energy(std::string_view text) { return {parse_real(text, energy_units, "0.87pJ")}; }
Power parse_power(std::string_view text) { return {parse_real(text, power_units, "3.1uW")}; }
EnergyPerBit parse_energy_per_bit(std::string_view text) {
    return {parse_real(text, energy_per_bit_units, "5.5pJ/bit")};
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    Decimal number;
    if (text.find_first_of("eE") == text.npos || !take_decimal(text, number) || !text.empty()) return std::nullopt;
    const auto value = product(number, 1);
    return value && *value <= most_quantity ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::vector<std::string_view> unit_names(Time) {
    std::vector<std::string_view> result = names_of(time_units);
    result.insert(result.end(), micro_spellings.begin(), micro_spellings.end());
    return result;
}
std::vector<std::string_view> unit_names(Bytes) { return names_of(byte_units); }
std::vector<std::string_view> unit_names(Bandwidth) { return names_of(bandwidth_units); }
std::vector<std::string_view> unit_names(Frequency) { return names_of(frequency_units); }
std::vector<std::string_view> unit_names(Area) { return names_of(area_units); }
std::vector<std::string_view> unit_names(Energy) { return names_of(energy_units); }
std::vector<std::string_view> unit_names(Power) { return names_of(power_units); }
std::vector<std::string_view> unit_names(EnergyPerBit) { return names_of(energy_per_bit_units); }

std::string to_text(Time time) {
    const std::string magnitude = write(static_cast<std::uint64_t>(time.ps < 0 ? -time.ps : time.ps), time_units);
    return time.ps < 0 ? "-" + magnitude : magnitude;
}
std::string to_text(Bytes bytes) { return write(bytes.count, std::span(byte_units).first(4)); }
std::string to_text(Bandwidth rate) { return write(rate.mbps, std::span(bandwidth_units).first(3)); }
std::string to_text(Frequency frequency) { return write(frequency.khz, frequency_units); }
std::string to_text(Area area) { return write_real(area.um2, "um2"); }
std::string to_text(Energy energy) { return write_real(energy.pj, "pJ"); }
std::string to_text(Power power) { return write_real(power.uw, "uW"); }
std::string to_text(EnergyPerBit energy) { return write_real(energy.pj, "pJ/bit"); }

}   // namespace oscar
