#include "models/codec/entropy/lane_vector.hpp"

#include "models/codec/entropy/lane_bounds.hpp"

namespace oscar {

bool fits_vectors(std::size_t symbols, std::size_t lanes, const Tables& tables, const Adaptation& adaptation) {
    // Streams have at most 12 and 32 bits a symbol: below 2^28 bits of each lane and 2^28 bytes of all.
    constexpr std::size_t most = std::size_t{1} << 24;
    const Table& one = *tables.of_class(0);
    for (std::size_t c = 0; c < tables.count(); ++c) {
        const Table& table = *tables.of_class(c);
        if (table.layout != one.layout || table.width != one.width) return false;
        if (adaptation.update != Update::none && table.cumulative.back() != probability_total) return false;
    }
    const bool by_lane = adaptation.update == Update::symbol;
    return symbols + lanes < most && (!by_lane || lanes * tables.count() * sizeof(SymbolCounts) < most);
}

}   // namespace oscar
