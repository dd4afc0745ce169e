// Quantities of what hardware costs, as types and as text: area, energy, power, energy per bit. They are measurements,
// not times of the simulation, and so real numbers; text in another unit is rounded once, as a decimal number is.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace oscar {

/// Area of silicon in square micrometres.
struct Area {
    double um2 = 0;
    friend constexpr auto operator<=>(Area, Area) = default;
};

/// Energy in picojoules.
struct Energy {
    double pj = 0;
    friend constexpr auto operator<=>(Energy, Energy) = default;
};

/// Power in microwatts: 1 uW for 1 us is 1 pJ.
struct Power {
    double uw = 0;
    friend constexpr auto operator<=>(Power, Power) = default;
};

/// Energy of one bit that is moved or accessed, in picojoules.
struct EnergyPerBit {
    double pj = 0;
    friend constexpr auto operator<=>(EnergyPerBit, EnergyPerBit) = default;
};

// Throw BadQuantity (quantity.hpp) for other text, which a negative number is.
Area parse_area(std::string_view text);                     ///< nm2 um2 mm2
Energy parse_energy(std::string_view text);                 ///< aJ fJ pJ nJ uJ mJ J
Power parse_power(std::string_view text);                   ///< pW nW uW mW W
EnergyPerBit parse_energy_per_bit(std::string_view text);   ///< aJ/bit fJ/bit pJ/bit nJ/bit

// In the unit of the type, the shortest text that reads back as the same number. Law: parse(to_text(q)) == q.
std::string to_text(Area area);
std::string to_text(Energy energy);
std::string to_text(Power power);
std::string to_text(EnergyPerBit energy);

// Each spelling that the parser takes, from the smallest unit on.
std::vector<std::string_view> unit_names(Area);
std::vector<std::string_view> unit_names(Energy);
std::vector<std::string_view> unit_names(Power);
std::vector<std::string_view> unit_names(EnergyPerBit);

}   // namespace oscar
