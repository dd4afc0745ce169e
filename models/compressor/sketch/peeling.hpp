// Peeling decoder: exact decoding of a sketch that has few listed elements for its number of cells.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/compressor/base/wrapping.hpp"

namespace oscar {

inline constexpr std::size_t sketch_hashes = 3;   // cells of an element

/// A cell that an element is added to, and whether with its sign turned.
struct Place {
    std::size_t cell = 0;
    std::uint32_t negative = 0;
};
using PlacesOf = std::array<Place, sketch_hashes>;

/// The number of listed elements that fall into each cell.
class CellCounts {
public:
    explicit CellCounts(std::size_t cells) : counts_(cells) {}
    /// An element falls into the cell.
    void add(std::size_t cell) { ++counts_[cell]; }
    /// An element of the cell was peeled. Precondition: its count is not 0.
    void take(std::size_t cell) { --counts_[cell]; }
    std::uint32_t of(std::size_t cell) const { return counts_[cell]; }   ///< elements left in the cell

private:
    std::vector<std::uint32_t> counts_;
};

/// The same in bytes, four to a word that is added as a whole: a count above 255 carries into the neighbour, as in the
/// kernels of lihy0529/lossless_homomorphic_compression.
class PackedCellCounts {
public:
    explicit PackedCellCounts(std::size_t cells) : words_((cells + 3) / 4) {}
    /// Carries into the next cell of the word from 255 on.
    void add(std::size_t cell) { words_[cell / 4] += 1u << (8 * (cell % 4)); }
    /// Borrows from the next cell of the word at 0.
    void take(std::size_t cell) { words_[cell / 4] -= 1u << (8 * (cell % 4)); }
    /// The byte of the cell, modulo 256 and with what neighbours carried.
    std::uint32_t of(std::size_t cell) const { return words_[cell / 4] >> (8 * (cell % 4)) & 0xff; }

private:
    std::vector<std::uint32_t> words_;
};

/// Result of peeling.
struct Peeled {
    std::vector<std::uint32_t> rest;   ///< listed elements that share all their cells, in their order
    std::uint32_t rounds = 0;          ///< with the last, which peeled none: that is how its end is known
    std::uint64_t visits = 0;          ///< elements looked at, in all rounds
};

/// Rounds over the `listed` elements: an element that is alone in one of its cells is read from there and taken out of
/// all of them; all of a round are found before any is taken out, so that the rounds do not depend on the order. Values
/// read go to `values`, by element. `counts` are the counts of the listed elements. With cells of int32, peeled values
/// are exact; an element whose places coincide counts and adds more than once there. Succeeds, as sketches grow, below
/// 0.818 listed elements per cell. Sources: Goodrich & Mitzenmacher, Allerton 2011; the bound: Dietzfelbinger & Walzer,
/// ESA 2019.
template <class Cell, class Counts, class PlacesOfElement>
Peeled peel(std::span<Cell> cells, Counts& counts, std::vector<std::uint32_t> listed, const PlacesOfElement& places_of,
            std::span<Cell> values) {
    Peeled result;
    std::vector<std::uint32_t> found;
    do {
        found.clear();
        result.visits += listed.size();
        std::size_t kept = 0;
        for (const std::uint32_t element : listed) {
            const PlacesOf places = places_of(element);
            const Place* alone = nullptr;
            for (const Place& place : places)
                if (counts.of(place.cell) == 1) alone = &place;
            if (alone == nullptr) {
                listed[kept++] = element;
                continue;
            }
            values[element] = with_sign(cells[alone->cell], alone->negative);
            found.push_back(element);
        }
        listed.resize(kept);
        for (const std::uint32_t element : found)
            for (const Place& place : places_of(element)) {
                cells[place.cell] = wrapping_sum(cells[place.cell], with_sign(values[element], place.negative ^ 1));
                counts.take(place.cell);
            }
        ++result.rounds;
    } while (!found.empty());
    result.rest = std::move(listed);
    return result;
}

/// The median of the values that an element's cells give for it: the only estimate of an element that shares each of
/// them.
template <class Cell>
Cell median_at(std::span<const Cell> cells, const PlacesOf& places) {
    const auto said = [&](std::size_t s) { return with_sign(cells[places[s].cell], places[s].negative); };
    const Cell a = said(0), b = said(1), c = said(2);
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}   // namespace oscar
