#include "models/compressor/sketch/sketch_peeling.hpp"

#include <numeric>
#include <stdexcept>

#include "models/compressor/sketch/peeling.hpp"

namespace oscar {
namespace {

std::vector<PlacesOf> places_of_all(const SketchHash& hash, std::span<const std::uint32_t> elements) {
    std::vector<PlacesOf> places(elements.size());
    std::vector<std::uint32_t> columns, negative;
    for (std::uint32_t row = 0; row < sketch_hashes; ++row)
        for (std::size_t first = 0; first < elements.size();) {   // runs of neighbours are hashed together
            std::size_t end = first + 1;
            while (end < elements.size() && elements[end] == elements[end - 1] + 1) ++end;
            columns.resize(end - first);
            negative.resize(end - first);
            hash.places(row, elements[first], columns, negative);
            for (std::size_t i = first; i < end; ++i)
                places[i][row] = {std::size_t{row} * hash.shape().columns + columns[i - first], negative[i - first]};
            first = end;
        }
    return places;
}

}   // namespace

SketchValues peel_sketch(const CountSketch<std::int32_t>& sketch, std::span<const std::uint32_t> elements,
                         std::uint32_t bits) {
    if (sketch.hash().shape().rows != sketch_hashes)
        throw std::invalid_argument("only sketches of three rows can be peeled");
    const std::vector<PlacesOf> places = places_of_all(sketch.hash(), elements);
    std::vector<std::int32_t> cells(sketch.table().begin(), sketch.table().end());
    CellCounts counts(cells.size());
    for (const PlacesOf& of_element : places)
        for (const Place& place : of_element) counts.add(place.cell);
    std::vector<std::uint32_t> all(elements.size());
    std::iota(all.begin(), all.end(), 0u);
    SketchValues result{std::vector<std::int32_t>(elements.size()), {}, 0, 0};
    const auto places_of = [&](std::uint32_t i) -> const PlacesOf& { return places[i]; };
    Peeled peeled = peel(std::span(cells), counts, std::move(all), places_of, std::span(result.values));
    // Sums modulo 2^bits are those modulo 2^32 without their upper bits, whenever these are dropped.
    for (std::int32_t& value : result.values) value = wrapped(value, bits);
    for (std::int32_t& cell : cells) cell = wrapped(cell, bits);
    for (const std::uint32_t i : peeled.rest)
        result.values[i] = median_at(std::span<const std::int32_t>(cells), places[i]);
    result.rest = std::move(peeled.rest);
    result.rounds = peeled.rounds;
    result.visits = peeled.visits;
    return result;
}

}   // namespace oscar
