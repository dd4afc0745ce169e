#include "models/compressor/sketch/oscar_sw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "models/compressor/base/input.hpp"
#include "models/compressor/base/integer_codes.hpp"
#include "models/compressor/base/wrapping.hpp"
#include "models/compressor/sketch/bloom_filter.hpp"
#include "models/compressor/sketch/peeling.hpp"
#include "models/core/random.hpp"

namespace oscar {
namespace {

using Elements = std::vector<std::uint32_t>;

/// Streams of random numbers of one step.
enum Stream : std::uint64_t { expected_stream, unexpected_stream, bloom_stream };

// Three rows that together have at least items / load cells.
SketchShape shape_for(std::uint64_t items, double load) {
    const double columns = std::ceil(static_cast<double>(items) / load / 3);
    return {3, static_cast<std::uint32_t>(std::max(1.0, columns)), 1, HashFamily::murmur3};
}

std::vector<std::int32_t> values_at(const Elements& elements, const std::vector<std::int32_t>& codes) {
    std::vector<std::int32_t> values(elements.size());
    std::ranges::transform(elements, values.begin(), [&](std::uint32_t e) { return codes[e]; });
    return values;
}

Elements numbers_below(std::size_t end) {
    Elements numbers(end);
    for (std::size_t i = 0; i < end; ++i) numbers[i] = static_cast<std::uint32_t>(i);
    return numbers;
}

}   // namespace

struct OscarSw::Round {
    double step = 0;                    // between codes
    std::vector<std::uint32_t> ready;   // exchanges before the values can go
    Codes codes;
    std::vector<std::int32_t> total;   // of all ranks; sketches of integers add up exactly, so that of the total stands
                                       // for the sum of theirs
    Elements nonzeros;                 // on any rank
    std::vector<std::int32_t> sum;     // of what is delivered
    std::vector<std::uint8_t> delivered;   // by element: whether its codes leave the residuals
    std::uint64_t key = 0;                 // of this step's random numbers
};

OscarSw::OscarSw(const OscarSwParams& params, std::uint32_t ranks, std::uint64_t seed)
    : params_(params),
      ranks_(ranks),
      cell_bits_(params.cells == CodeCells::narrowest ? narrowest_cell(params.bits, ranks) : 32),
      seed_(seed) {
    check_code_width(params.bits, ranks);
}

void OscarSw::reset() {
    steps_ = 0;
    last_step_size_ = 0;
    mask_.clear();
    residuals_.clear();
    last_ = {};
}

CompressionResult OscarSw::step(Gradients gradients, std::span<const TensorShape> tensors) {
    check_input(gradients, tensors, ranks_);
    CompressionResult result;
    Round round;
    quantise(gradients, round, result);
    const std::uint64_t capacity = expected_misses();
    compare_with_mask(round);
    if (last_.refreshed) {
        exchange_mask(round, result);
        round.ready = {1};
        mask_ = round.nonzeros;
    }
    last_.expected = mask_.size();
    send_expected(round, result);
    if (!last_.refreshed) {
        if (params_.mode != OscarSwMode::sketch_and_keep && capacity > 0) send_unexpected(capacity, round, result);
        exchange_mask(round, result);
    }
    finish(round, result);
    return result;
}

// Of gradient + residual; the residuals hold all of it until it is known what was delivered.
void OscarSw::quantise(Gradients gradients, Round& round, CompressionResult& result) {
    const std::size_t elements = gradients[0].size();
    if (residuals_.empty()) residuals_.assign(ranks_, std::vector<float>(elements));
    if (residuals_[0].size() != elements)
        throw std::invalid_argument("oscar_sw: a gradient of " + std::to_string(elements) + " elements after one of " +
                                    std::to_string(residuals_[0].size()) + "; the length must stay until a reset");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::transform(residuals_[rank], gradients[rank], residuals_[rank].begin(), std::plus{});
    agree_on_step(round, result);
    std::vector<std::uint8_t> nonzero(elements);
    round.total.resize(elements);
    for (const auto& values : residuals_) {
        const auto& codes = round.codes.emplace_back(codes_of(values, round.step, params_.bits));
        for (std::size_t i = 0; i < elements; ++i) {
            nonzero[i] |= static_cast<std::uint8_t>(codes[i] != 0);
            round.total[i] = wrapping_sum(round.total[i], codes[i]);
        }
    }
    for (std::uint32_t i = 0; i < elements; ++i)
        if (nonzero[i] != 0) round.nonzeros.push_back(i);
    round.sum.resize(elements);
    round.delivered.resize(elements);
    round.key = random_at(seed_, steps_);
}

void OscarSw::agree_on_step(Round& round, CompressionResult& result) {
    const double of_this_step = shared_code_step(views(residuals_), params_.bits, params_.percentile);
    const bool delayed = params_.peak == PeakOf::last_step && last_step_size_ > 0;
    round.step = delayed ? last_step_size_ : of_this_step;
    last_step_size_ = of_this_step;
    if (!delayed) round.ready = {0};
    if (params_.percentile < 100) result.operations.comparisons += 3 * residuals_[0].size();   // a radix selection
    result.exchanges.push_back(peak_exchange(ranks_));
    result.exchanges.back().overlapped = delayed;
}

void OscarSw::compare_with_mask(const Round& round) {
    // Those that waited say nothing of the prediction; some may have become zero.
    const std::uint64_t fresh = last_.nonzeros - std::min(last_.nonzeros, last_.waiting);
    const bool missed = static_cast<double>(last_.unexpected) > params_.max_miss * static_cast<double>(fresh);
    const bool due = params_.refresh > 0 && steps_ % params_.refresh == 0;
    Elements unexpected;
    std::ranges::set_difference(round.nonzeros, mask_, std::back_inserter(unexpected));
    const std::uint64_t waiting = last_.kept_back;
    last_ = {};
    last_.refreshed = steps_ == 0 || due || missed;
    last_.waiting = waiting;
    last_.nonzeros = round.nonzeros.size();
    last_.unexpected = steps_ == 0 ? 0 : unexpected.size();   // the first mask is all elements
}

std::uint64_t OscarSw::expected_misses() const {
    return std::max(params_.min_misses,
                    static_cast<std::uint64_t>(std::ceil(params_.margin * static_cast<double>(last_.unexpected))));
}

void OscarSw::exchange_mask(const Round& round, CompressionResult& result) const {
    Exchange mask =
        equal_exchange("mask", CollectiveKind::all_reduce, (round.sum.size() + 7) / 8, 0, ranks_, round.ready);
    mask.overlapped = !last_.refreshed;
    result.exchanges.push_back(std::move(mask));
    result.operations.elements += round.sum.size();
}

void OscarSw::send_expected(Round& round, CompressionResult& result) {
    if (mask_.empty()) return;
    std::vector<std::int32_t> sums = values_at(mask_, round.total);
    if (params_.mode == OscarSwMode::packed_and_sketch) {
        result.exchanges.push_back(equal_exchange("values", CollectiveKind::all_reduce, bytes_of(mask_.size()),
                                                  mask_.size(), ranks_, round.ready));
        result.operations.elements += 2 * mask_.size();
    } else {
        CountSketch<std::int32_t> sketch(
            SketchHash(mask_.size(), shape_for(mask_.size(), params_.load), random_at(round.key, expected_stream)));
        sketch.add(sums);
        SketchValues peeled = peel_sketch(sketch, numbers_below(mask_.size()), cell_bits_);
        last_.estimated = peeled.rest.size();
        account("sketch of expected", sketch.table().size(), mask_.size(), peeled, round.ready, result);
        sums = std::move(peeled.values);
    }
    for (std::size_t i = 0; i < mask_.size(); ++i) {
        round.sum[mask_[i]] = sums[i];
        round.delivered[mask_[i]] = 1;
    }
}

// Exactly, as far as they can be peeled; the others stay back.
void OscarSw::send_unexpected(std::uint64_t capacity, Round& round, CompressionResult& result) {
    const std::size_t elements = round.sum.size();
    CountSketch<std::int32_t> sketch(
        SketchHash(elements, shape_for(capacity, params_.miss_load), random_at(round.key, unexpected_stream)));
    const auto bits = static_cast<std::uint64_t>(std::ceil(params_.bloom_bits * static_cast<double>(capacity)));
    BloomFilter members(bits, bloom_hashes(params_.bloom_bits), random_at(round.key, bloom_stream));
    std::vector<std::int32_t> unexpected = round.total;
    for (const std::uint32_t expected : mask_) unexpected[expected] = 0;
    sketch.add(unexpected);
    std::uint64_t added = 0;   // by all ranks, so no more by any
    for (const std::uint32_t element : round.nonzeros)
        if (round.delivered[element] == 0) members.insert(element), ++added;
    Elements listed;
    for (std::uint32_t i = 0; i < elements; ++i)
        if (round.delivered[i] == 0 && members.contains(i)) listed.push_back(i);
    const SketchValues peeled = peel_sketch(sketch, listed, cell_bits_);
    for (std::size_t k = 0; k < listed.size(); ++k) round.delivered[listed[k]] = 1;
    for (const std::uint32_t k : peeled.rest) round.delivered[listed[k]] = 0;
    for (std::size_t k = 0; k < listed.size(); ++k)
        if (round.delivered[listed[k]] == 1) round.sum[listed[k]] = peeled.values[k];
    account("sketch of unexpected", sketch.table().size(), added, peeled, round.ready, result);
    result.exchanges.push_back(
        equal_exchange("members", CollectiveKind::all_reduce, members.bytes(), 0, ranks_, round.ready));
    // A scan for what is to be added; each probable zero is looked for in the filter: two hashes, and two of its bits
    // on the average, for about half of them are set.
    const std::uint64_t probable_zeros = elements - mask_.size();
    result.operations.elements += probable_zeros;
    result.operations.hashes += 2 * (probable_zeros + added);
    result.operations.comparisons += 2 * probable_zeros;
    result.operations.additions += bloom_hashes(params_.bloom_bits) * added;
}

// A sketch that a rank adds at most `added` elements to, and what is peeled from it. Lists are compact: a pass of the
// encoder and of the counts, and a visit in each round for what is still listed; places are hashed anew each time, a
// column and a sign for each row. What is peeled leaves cells and counts.
void OscarSw::account(const char* what, std::uint64_t cells, std::uint64_t added, const SketchValues& peeled,
                      const std::vector<std::uint32_t>& after, CompressionResult& result) const {
    result.exchanges.push_back(equal_exchange(what, CollectiveKind::all_reduce, bytes_of(cells), cells, ranks_, after));
    const std::uint64_t listed = peeled.values.size(), visits = added + listed + peeled.visits;
    ComputeCost& work = result.operations;
    work.elements += visits;
    work.hashes += 2 * sketch_hashes * visits;
    work.additions += sketch_hashes * (added + listed + 2 * (listed - peeled.rest.size()));
    work.comparisons += sketch_hashes * peeled.visits;
    work.rounds += peeled.rounds;
}

void OscarSw::finish(const Round& round, CompressionResult& result) {
    const std::size_t elements = round.sum.size();
    result.mean.resize(elements);
    for (std::size_t i = 0; i < elements; ++i)
        result.mean[i] = value_of(round.sum[i], round.step) / static_cast<float>(ranks_);
    result.sent.assign(ranks_, std::vector<float>(elements));
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        for (std::size_t i = 0; i < elements; ++i) {
            if (round.delivered[i] != 0) result.sent[rank][i] = value_of(round.codes[rank][i], round.step);
            residuals_[rank][i] -= result.sent[rank][i];
        }
    last_.kept_back = static_cast<std::uint64_t>(
        std::ranges::count_if(round.nonzeros, [&](std::uint32_t e) { return round.delivered[e] == 0; }));
    mask_ = round.nonzeros;
    ++steps_;
    result.operations.elements += 4 * elements;   // the peak, the codes, the result, the residual
    result.operations.additions += 2 * elements;
}

std::unique_ptr<Compressor> make_compressor(const OscarSwParams& params, std::uint32_t ranks, std::uint64_t seed) {
    return std::make_unique<OscarSw>(params, ranks, seed);
}

}   // namespace oscar
