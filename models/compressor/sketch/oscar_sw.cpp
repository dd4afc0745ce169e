#include "models/compressor/sketch/oscar_sw.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>

#include "models/compressor/base/carrier.hpp"
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
    CompressionResult& result;
    StepExchanges traffic;
    double step = 0;                      // between codes
    std::vector<std::uint32_t> ready{};   // exchanges before the values can go
    Codes codes{};
    Elements nonzeros{};                     // on any rank
    std::vector<std::int32_t> sum{};         // of what is delivered
    std::vector<std::uint8_t> delivered{};   // by element: whether its codes leave the residuals
    std::uint64_t key = 0;                   // of this step's random numbers
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

CompressionResult OscarSw::step(Gradients gradients, std::span<const TensorShape> tensors, Carrier& carrier) {
    check_input(gradients, tensors, ranks_);
    CompressionResult result;
    Round round{.result = result, .traffic = StepExchanges(carrier, result)};
    quantise(gradients, round);
    const std::uint64_t capacity = expected_misses();
    compare_with_mask(round);
    if (last_.refreshed) {
        exchange_mask(round);
        round.ready = {1};
        mask_ = round.nonzeros;
    }
    last_.expected = mask_.size();
    send_expected(round);
    if (!last_.refreshed) {
        if (params_.mode != OscarSwMode::sketch_and_keep && capacity > 0) send_unexpected(capacity, round);
        exchange_mask(round);
    }
    finish(round);
    return result;
}

// Of gradient + residual; the residuals hold all of it until it is known what was delivered.
void OscarSw::quantise(Gradients gradients, Round& round) {
    const std::size_t elements = gradients[0].size();
    if (residuals_.empty()) residuals_.assign(ranks_, std::vector<float>(elements));
    if (residuals_[0].size() != elements)
        throw std::invalid_argument("oscar_sw: a gradient of " + std::to_string(elements) + " elements after one of " +
                                    std::to_string(residuals_[0].size()) + "; the length must stay until a reset");
    for (std::uint32_t rank = 0; rank < ranks_; ++rank)
        std::ranges::transform(residuals_[rank], gradients[rank], residuals_[rank].begin(), std::plus{});
    agree_on_step(round);
    std::vector<std::uint8_t> nonzero(elements);
    for (const auto& values : residuals_) {
        const auto& codes = round.codes.emplace_back(codes_of(values, round.step, params_.bits));
        for (std::size_t i = 0; i < elements; ++i) nonzero[i] |= static_cast<std::uint8_t>(codes[i] != 0);
    }
    for (std::uint32_t i = 0; i < elements; ++i)
        if (nonzero[i] != 0) round.nonzeros.push_back(i);
    round.sum.resize(elements);
    round.delivered.resize(elements);
    round.key = random_at(seed_, steps_);
}

void OscarSw::agree_on_step(Round& round) {
    const bool delayed = params_.peak == PeakOf::last_step && last_step_size_ > 0;
    const double of_this_step =
        agreed_code_step(views(residuals_), params_.bits, params_.percentile, round.traffic, delayed);
    round.step = delayed ? last_step_size_ : of_this_step;
    last_step_size_ = of_this_step;
    if (!delayed) round.ready = {0};
    // A percentile takes a radix selection.
    if (params_.percentile < 100) round.result.operations.comparisons += 3 * residuals_[0].size();
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

// The non-zeros of all ranks, by OR of a bit for each element.
void OscarSw::exchange_mask(Round& round) {
    RankWords words{.type = ElementType::bitmap};   // of each step, and with the other exchanges all that it sends
    words.represented = round.sum.size();
    for (const auto& codes : round.codes) {
        std::vector<std::uint32_t> bits(codes.size());
        std::ranges::transform(codes, bits.begin(), [](std::int32_t code) { return code != 0 ? 1U : 0U; });
        words.of_ranks.push_back(packed_fields(bits, 1));
    }
    const auto merged =
        round.traffic.carry({.what = "mask", .after = round.ready, .overlapped = !last_.refreshed}, words);
    const auto listed = [&](std::uint32_t e) {
        return (static_cast<std::uint32_t>(merged[e / 32]) >> (e % 32) & 1) != 0;
    };
    round.nonzeros.clear();
    for (std::uint32_t e = 0; e < round.sum.size(); ++e)
        if (listed(e)) round.nonzeros.push_back(e);
    round.result.operations.elements += round.sum.size();
}

// The bits of the largest cell of all ranks.
std::uint32_t agreed_bits(const std::vector<std::vector<Symbol>>& cells, StepExchanges& traffic,
                          const std::vector<std::uint32_t>& after) {
    RankWords words{.type = ElementType::magnitude};
    for (const auto& of_rank : cells) {
        Symbol largest = 0;
        for (const Symbol cell : of_rank) largest = std::max(largest, std::abs(cell));
        words.of_ranks.push_back({largest});
    }
    const Symbol largest = traffic.carry({.what = "largest cell", .after = after}, words)[0];
    return static_cast<std::uint32_t>(signed_bits(static_cast<std::uint64_t>(largest)));
}

// What an all-reduce leaves of the cells of all ranks, modulo 2^cell_bits_.
template <class CellsOf>
std::vector<std::int32_t> OscarSw::sum_of_cells(const char* what, const CellsOf& cells_of, Round& round) const {
    RankWords words;
    for (const auto& codes : round.codes) words.of_ranks.push_back(cells_of(codes));
    const std::size_t cells = words.of_ranks.front().size();
    if (params_.cells == CodeCells::widening) {
        words.type = ElementType::integer;
        words.bits = std::max(2U, agreed_bits(words.of_ranks, round.traffic, round.ready));
        std::vector<std::uint32_t> after = round.ready;
        after.push_back(round.traffic.next() - 1);
        return round.traffic.carry({.what = what, .floats = cells, .after = after}, words);
    }
    words.type = cell_type(cell_bits_);
    for (auto& of_rank : words.of_ranks) of_rank = packed_cells(of_rank, cell_bits_);
    const auto left = round.traffic.carry({.what = what, .floats = cells, .after = round.ready}, words);
    return unpacked_cells(left, cells, cell_bits_);
}

namespace {

// The cells of a sketch of a rank's values.
auto cells_in(const SketchHash& hash, const auto& values_of) {
    return [&hash, &values_of](const std::vector<std::int32_t>& codes) {
        CountSketch<std::int32_t> sketch(hash);
        sketch.add(values_of(codes));
        return std::vector(sketch.table().begin(), sketch.table().end());
    };
}

// A sketch that a rank adds at most `added` elements to, and what is peeled from it. Lists are compact: a pass of the
// encoder and of the counts, and a visit in each round for what is still listed; places are hashed anew each time, a
// column and a sign for each row. What is peeled leaves cells and counts.
ComputeCost peeling_cost(std::uint64_t added, const SketchValues& peeled) {
    const std::uint64_t listed = peeled.values.size(), visits = added + listed + peeled.visits;
    ComputeCost work;
    work.elements = visits;
    work.hashes = 2 * sketch_hashes * visits;
    work.additions = sketch_hashes * (added + listed + 2 * (listed - peeled.rest.size()));
    work.comparisons = sketch_hashes * peeled.visits;
    work.rounds = peeled.rounds;
    return work;
}

}   // namespace

void OscarSw::send_expected(Round& round) {
    if (mask_.empty()) return;
    const auto expected = [&](const std::vector<std::int32_t>& codes) { return values_at(mask_, codes); };
    std::vector<std::int32_t> sums;
    if (params_.mode == OscarSwMode::packed_and_sketch) {
        sums = sum_of_cells("values", expected, round);
        round.result.operations.elements += 2 * mask_.size();
    } else {
        const SketchHash hash(mask_.size(), shape_for(mask_.size(), params_.load),
                              random_at(round.key, expected_stream));
        CountSketch<std::int32_t> sketch(hash);
        sketch.set_table(sum_of_cells("sketch of expected", cells_in(hash, expected), round));
        SketchValues peeled = peel_sketch(sketch, numbers_below(mask_.size()), cell_bits_);
        last_.estimated = peeled.rest.size();
        round.result.operations += peeling_cost(mask_.size(), peeled);
        sums = std::move(peeled.values);
    }
    for (std::size_t i = 0; i < mask_.size(); ++i) {
        round.sum[mask_[i]] = sums[i];
        round.delivered[mask_[i]] = 1;
    }
}

// Exactly, as far as they can be peeled; the others stay back.
void OscarSw::send_unexpected(std::uint64_t capacity, Round& round) {
    const std::size_t elements = round.sum.size();
    const auto unexpected = [&](const std::vector<std::int32_t>& codes) {
        std::vector<std::int32_t> values = codes;
        for (const std::uint32_t expected : mask_) values[expected] = 0;
        return values;
    };
    const SketchHash hash(elements, shape_for(capacity, params_.miss_load), random_at(round.key, unexpected_stream));
    CountSketch<std::int32_t> sketch(hash);
    sketch.set_table(sum_of_cells("sketch of unexpected", cells_in(hash, unexpected), round));

    const auto bits = static_cast<std::uint64_t>(std::ceil(params_.bloom_bits * static_cast<double>(capacity)));
    BloomFilter members(bits, bloom_hashes(params_.bloom_bits), random_at(round.key, bloom_stream));
    RankWords filters{.type = ElementType::bitmap};
    for (const auto& codes : round.codes) {
        BloomFilter own = members;
        const std::vector<std::int32_t> values = unexpected(codes);
        for (std::uint32_t e = 0; e < elements; ++e)
            if (values[e] != 0) own.insert(e);
        filters.of_ranks.push_back(words_of_bytes(own.bytes()));
    }
    const auto merged = round.traffic.carry({.what = "members", .after = round.ready}, filters);
    members.assign(bytes_of_words(merged, members.bytes().size()));

    std::uint64_t added = 0;   // by all ranks, so no more by any
    for (const std::uint32_t element : round.nonzeros) added += round.delivered[element] == 0;
    Elements listed;
    for (std::uint32_t i = 0; i < elements; ++i)
        if (round.delivered[i] == 0 && members.contains(i)) listed.push_back(i);
    const SketchValues peeled = peel_sketch(sketch, listed, cell_bits_);
    for (std::size_t k = 0; k < listed.size(); ++k) round.delivered[listed[k]] = 1;
    for (const std::uint32_t k : peeled.rest) round.delivered[listed[k]] = 0;
    for (std::size_t k = 0; k < listed.size(); ++k)
        if (round.delivered[listed[k]] == 1) round.sum[listed[k]] = peeled.values[k];
    round.result.operations += peeling_cost(added, peeled);
    // A scan for what is to be added; each probable zero is looked for in the filter: two hashes, and two of its bits
    // on the average, for about half of them are set.
    const std::uint64_t probable_zeros = elements - mask_.size();
    ComputeCost& work = round.result.operations;
    work.elements += probable_zeros;
    work.hashes += 2 * (probable_zeros + added);
    work.comparisons += 2 * probable_zeros;
    work.additions += bloom_hashes(params_.bloom_bits) * added;
}

void OscarSw::finish(const Round& round) {
    CompressionResult& result = round.result;
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
