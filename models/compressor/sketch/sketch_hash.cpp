#include "models/compressor/sketch/sketch_hash.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/compressor/base/murmur3.hpp"
#include "models/compressor/sketch/sketch_hash_loops.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

using hashing::prime;

void check(std::uint64_t elements, const SketchShape& shape) {
    if (shape.rows == 0 || shape.columns == 0)
        throw std::invalid_argument("a sketch of " + std::to_string(shape.rows) + " rows and " +
                                    std::to_string(shape.columns) + " columns for " + std::to_string(elements) +
                                    " elements: at least one row and one column are needed; compress less");
    if (shape.family == HashFamily::murmur3 && shape.blocks != 1)
        throw std::invalid_argument("a sketch by murmur3 hashes all elements: it has one block");
    if (shape.blocks == 0 || shape.blocks > std::max<std::uint64_t>(elements, 1))
        throw std::invalid_argument("a sketch of " + std::to_string(elements) + " elements in " +
                                    std::to_string(shape.blocks) + " blocks: 1 .. elements are possible");
    if (elements > prime || shape.columns > prime / 2)
        throw std::invalid_argument("a sketch of " + std::to_string(elements) + " elements in " +
                                    std::to_string(shape.columns) +
                                    " columns: hashes reach 2^31-1 elements and 2^30 columns");
}

}   // namespace

SketchHash::SketchHash(std::uint64_t elements, const SketchShape& shape, std::uint64_t seed)
    : elements_(elements), shape_(shape), block_length_(0) {
    check(elements, shape);
    block_length_ = std::max<std::uint64_t>(1, (elements + shape.blocks - 1) / shape.blocks);
    std::uint64_t drawn = 0;
    const auto below = [&](std::uint64_t limit) {
        return static_cast<std::uint32_t>(random_at(seed, drawn++) % limit);
    };
    for (std::uint32_t row = 0; row < shape.rows; ++row) {
        Polynomials& hash = rows_.emplace_back();
        for (std::uint32_t& coefficient : hash.column) coefficient = below(prime);
        for (std::uint32_t& coefficient : hash.sign) coefficient = below(prime);
        for (std::uint32_t block = 0; block < shape.blocks; ++block) {
            block_offsets_.push_back(block == 0 ? 0 : below(shape.columns));
            block_negative_.push_back(block == 0 ? 0 : below(2));
        }
    }
}

void SketchHash::places(std::uint32_t row, std::uint64_t first, std::span<std::uint32_t> columns,
                        std::span<std::uint32_t> negative) const {
    if (shape_.family == HashFamily::murmur3) return places_by_murmur3(row, first, columns, negative);
    const auto hash = avx512::available() ? hashing::avx512::hash_block : hashing::hash_block;
    for (std::size_t done = 0; done < columns.size();) {
        const std::uint64_t block = (first + done) / block_length_, token = (first + done) % block_length_;
        const std::size_t size = std::min<std::size_t>(columns.size() - done, block_length_ - token);
        const std::size_t at = row * std::size_t{shape_.blocks} + block;
        hash({rows_[row], shape_.columns, block_offsets_[at], block_negative_[at]}, token, size, columns.data() + done,
             negative.data() + done);
        done += size;
    }
}

void SketchHash::places_by_murmur3(std::uint32_t row, std::uint64_t first, std::span<std::uint32_t> columns,
                                   std::span<std::uint32_t> negative) const {
    const std::uint32_t seed = rows_[row].column[0];
    for (std::size_t j = 0; j < columns.size(); ++j) {
        const std::uint32_t hash = murmur3(static_cast<std::uint32_t>(first + j), seed);
        columns[j] = static_cast<std::uint32_t>((std::uint64_t{hash} * shape_.columns) >> 32);
        negative[j] = hash & 1;
    }
}

}   // namespace oscar
