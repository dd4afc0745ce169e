#include "models/compressor/sketch/lhc_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "models/compressor/base/murmur3.hpp"

namespace oscar {
namespace {

std::vector<PlacesOf> places_of_blocks(const LhcShape& shape) {
    std::vector<PlacesOf> places(shape.blocks());
    for (std::uint32_t block = 0; block < places.size(); ++block) places[block] = places_of_block(shape, block);
    return places;
}

template <class Cell>
void add_block(std::span<const Cell> values, std::uint32_t negative, Cell* cells) {
    for (std::size_t j = 0; j < values.size(); ++j) cells[j] = wrapping_sum(cells[j], with_sign(values[j], negative));
}

template <class Counts, class Cell, class PlacesOfElement>
LhcDecoded<Cell> decode(std::size_t elements, std::vector<Cell> cells, std::vector<std::uint32_t> listed,
                        const PlacesOfElement& places_of) {
    LhcDecoded<Cell> result{std::vector<Cell>(elements), {}, 0};
    Counts counts(cells.size());
    for (const std::uint32_t element : listed)
        for (const Place& place : places_of(element)) counts.add(place.cell);
    Peeled peeled = peel(std::span<Cell>(cells), counts, std::move(listed), places_of, std::span<Cell>(result.values));
    for (const std::uint32_t element : peeled.rest)
        result.values[element] = median_at(std::span<const Cell>(cells), places_of(element));
    result.rest = std::move(peeled.rest);
    result.rounds = peeled.rounds;
    return result;
}

}   // namespace

std::uint64_t lhc_rows(std::uint64_t elements, double ratio, std::uint32_t lanes) {
    const std::uint64_t blocks = LhcShape{elements, lanes, 0}.blocks();
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(blocks) / ratio));
}

LhcShape lhc_shape(std::uint64_t elements, double ratio, std::uint32_t lanes) {
    if (!(ratio >= 1) || lanes == 0)
        throw std::invalid_argument("a sketch of ratio " + std::to_string(ratio) + " and " + std::to_string(lanes) +
                                    " lanes: the ratio is at least 1, and so are the lanes");
    if (elements > std::numeric_limits<std::uint32_t>::max())
        throw std::invalid_argument("a sketch of " + std::to_string(elements) +
                                    " elements: fewer than 2^32 are possible");
    const std::uint64_t rows = lhc_rows(elements, ratio, lanes);
    if (rows < sketch_hashes)
        throw std::invalid_argument("a sketch of " + std::to_string(elements) + " elements in rows of " +
                                    std::to_string(lanes) + " at ratio " + std::to_string(ratio) + " has " +
                                    std::to_string(rows) +
                                    " rows, fewer than its 3 hashes: use fewer lanes or a lower ratio");
    return {elements, lanes, static_cast<std::uint32_t>(rows)};
}

PlacesOf places_of_block(const LhcShape& shape, std::uint32_t block) {
    PlacesOf places;
    for (std::uint32_t s = 0; s < sketch_hashes; ++s) {
        const std::uint32_t hash = murmur3(block, s);
        places[s] = {std::size_t{hash % shape.rows} * shape.lanes, hash >> 31};
    }
    return places;
}

template <class Cell>
void lhc_encode(const LhcShape& shape, std::span<const Cell> values, std::span<Cell> cells) {
    for (std::uint32_t block = 0; block < shape.blocks(); ++block) {
        const std::size_t first = std::size_t{block} * shape.lanes;
        const auto of_block = values.subspan(first, std::min<std::size_t>(shape.lanes, values.size() - first));
        for (const Place& place : places_of_block(shape, block))
            add_block(of_block, place.negative, cells.data() + place.cell);
    }
}

template <class Cell>
LhcDecoded<Cell> lhc_decode(const LhcShape& shape, std::vector<Cell> cells, std::vector<std::uint32_t> listed,
                            bool packed_counts) {
    const auto places_of = [lanes = shape.lanes, blocks = places_of_blocks(shape)](std::uint32_t element) {
        PlacesOf places = blocks[element / lanes];
        for (Place& place : places) place.cell += element % lanes;
        return places;
    };
    return packed_counts ? decode<PackedCellCounts>(shape.elements, std::move(cells), std::move(listed), places_of)
                         : decode<CellCounts>(shape.elements, std::move(cells), std::move(listed), places_of);
}

template void lhc_encode<float>(const LhcShape&, std::span<const float>, std::span<float>);
template void lhc_encode<std::int32_t>(const LhcShape&, std::span<const std::int32_t>, std::span<std::int32_t>);
template LhcDecoded<float> lhc_decode<float>(const LhcShape&, std::vector<float>, std::vector<std::uint32_t>, bool);
template LhcDecoded<std::int32_t> lhc_decode<std::int32_t>(const LhcShape&, std::vector<std::int32_t>,
                                                           std::vector<std::uint32_t>, bool);

}   // namespace oscar
