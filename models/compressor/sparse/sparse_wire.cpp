#include "models/compressor/sparse/sparse_wire.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/compressor/base/gathered_words.hpp"
#include "models/compressor/base/input.hpp"
#include "models/compressor/base/integer_codes.hpp"

namespace oscar {
namespace {

/// Of the sum, or of all ranks' gradients: left-out values are zeros.
std::uint64_t represented_by(const SparseMessage& message, MessageForm form) {
    return (form.shared_positions ? 1 : message.positions.size()) * (message.end - message.begin);
}

std::size_t longest(const SparseMessage& message) {
    return std::ranges::max_element(message.positions, {}, &Positions::size)->size();
}

/// All tensors as one message.
SparseMessage fused(const std::vector<SparseMessage>& messages, std::uint64_t elements) {
    const std::size_t ranks = messages.front().positions.size();
    SparseMessage whole{0, elements, std::vector<Positions>(ranks), std::vector<std::vector<float>>(ranks)};
    for (const SparseMessage& message : messages)
        for (std::size_t r = 0; r < ranks; ++r) {
            for (const std::uint32_t position : message.positions[r])
                whole.positions[r].push_back(static_cast<std::uint32_t>(message.begin + position));
            whole.values[r].insert(whole.values[r].end(), message.values[r].begin(), message.values[r].end());
        }
    return whole;
}

void round_values(SparseMessage& message) {
    for (std::vector<float>& values : message.values) std::ranges::transform(values, values.begin(), rounded_to_half);
}

/// The bits of an fp16 value.
std::uint32_t half_pattern(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000;
    if (std::fabs(value) < 0x1p-14f) return sign | static_cast<std::uint32_t>(std::fabs(value) * 0x1p24f);
    return sign | ((bits & 0x7fffffff) - (112U << 23)) >> 13;
}

float half_value(std::uint32_t pattern) {
    const std::uint32_t magnitude = pattern & 0x7fff;
    const float value = magnitude < 0x400 ? static_cast<float>(magnitude) * 0x1p-24f
                                          : std::bit_cast<float>((magnitude << 13) + (112U << 23));
    return (pattern & 0x8000) != 0 ? -value : value;
}

/// What the message of rank r says, an element once however often it is named.
void decode(const SparseMessage& message, std::size_t r, std::vector<float>& gradient) {
    for (std::size_t i = 0; i < message.positions[r].size(); ++i)
        gradient[message.begin + message.positions[r][i]] = message.values[r][i];
}

/// As decode of the padded message of GraVAC's receiver: the element that padding names keeps what it was before.
void overwrite(const SparseMessage& message, std::size_t r, std::size_t padded, std::vector<float>& sum) {
    const float first = sum[message.begin];
    for (std::size_t i = 0; i < message.positions[r].size(); ++i) {
        const bool again = i > 0 && message.positions[r][i] == message.positions[r][i - 1];
        if (!again) sum[message.begin + message.positions[r][i]] += message.values[r][i];
    }
    if (message.positions[r].size() < padded) sum[message.begin] = first;
}

void accumulate(const SparseMessage& message, std::size_t r, std::vector<float>& sum) {
    for (std::size_t i = 0; i < message.positions[r].size(); ++i)
        sum[message.begin + message.positions[r][i]] += message.values[r][i];
}

void put_sum(const SparseMessage& message, Scatter scatter, std::vector<float>& sum) {
    for (std::size_t i = 0; i < message.sum.size(); ++i) {
        float& element = sum[message.begin + message.positions[0][i]];
        element = scatter == Scatter::accumulate ? element + message.sum[i] : message.sum[i];
    }
}

/// Rank after rank. Only what was sent is added, except of rank 0, whose zeros keep the signs of a dense sum.
std::vector<float> summed(const std::vector<SparseMessage>& messages, const std::vector<float>& of_rank_0,
                          Scatter scatter) {
    const bool corrected = scatter == Scatter::corrected;
    std::vector<float> sum = corrected ? of_rank_0 : std::vector<float>(of_rank_0.size());
    for (const SparseMessage& message : messages) {
        if (!message.sum.empty()) {   // it was formed on the way
            put_sum(message, scatter, sum);
            continue;
        }
        for (std::size_t r = corrected ? 1 : 0; r < message.positions.size(); ++r)
            if (scatter == Scatter::accumulate) accumulate(message, r, sum);
            else overwrite(message, r, corrected ? 0 : longest(message), sum);
    }
    return sum;
}

/// Two fp16 patterns a word, or a word for each float.
void append_values(std::span<const float> values, std::uint32_t bytes, std::vector<Symbol>& words) {
    const std::vector<Symbol> patterns = words_of_floats(values);
    if (bytes == 4) {
        words.insert(words.end(), patterns.begin(), patterns.end());
        return;
    }
    std::vector<std::uint32_t> halves(values.size());
    std::ranges::transform(values, halves.begin(), half_pattern);
    const std::vector<Symbol> packed = packed_fields(halves, 16);
    words.insert(words.end(), packed.begin(), packed.end());
}

/// Indices of 8 bytes have an upper word of zeros.
void append_indices(const Positions& positions, std::uint32_t bytes, std::vector<Symbol>& words) {
    for (const std::uint32_t position : positions) {
        words.push_back(static_cast<Symbol>(position));
        if (bytes == 8) words.push_back(0);
    }
}

/// The messages of all ranks as the gathered words say them.
void decode_words(std::span<const Symbol> words, const SparseWire& wire, SparseMessage& message) {
    const std::size_t ranks = message.positions.size(), padded = words.size() / ranks, step = wire.index_bytes / 4;
    for (std::size_t r = 0; r < ranks; ++r) {
        const auto own = words.subspan(r * padded, padded);
        const std::size_t count = message.positions[r].size();   // fixed, or told in the exchange of sizes
        const std::size_t value_words = wire.value_bytes == 4 ? count : (count + 1) / 2;
        for (std::size_t i = 0; i < count; ++i) {
            message.positions[r][i] = static_cast<std::uint32_t>(own[value_words + i * step]);
            if (wire.value_bytes == 4) message.values[r][i] = std::bit_cast<float>(own[i]);
            else message.values[r][i] = half_value(static_cast<std::uint32_t>(own[i / 2]) >> (i % 2 * 16) & 0xffffU);
        }
    }
}

/// Carries a message in the form of memory; it then says what its receivers decode.
void carry_memory(SparseMessage& message, const SparseWire& wire, MessageForm form, WordExchange exchange,
                  StepExchanges& traffic) {
    RankWords words;
    if (form.fixed_counts) words.represented = represented_by(message, form);
    for (std::size_t r = 0; r < message.positions.size(); ++r) {
        auto& own = words.of_ranks.emplace_back();
        append_values(message.values[r], wire.value_bytes, own);
        if (!form.shared_positions) append_indices(message.positions[r], wire.index_bytes, own);
    }
    const std::vector<Symbol> left = traffic.carry(std::move(exchange), words);
    if (!left.empty() && !form.shared_positions) decode_words(left, wire, message);
    if (form.shared_positions) message.sum = floats_of_words(left);
}

/// The message of rank r as the gathered codes and gaps say it.
void decode_integers(std::span<const Symbol> codes, std::span<const Symbol> gaps, double step, SparseMessage& message,
                     std::size_t r) {
    std::uint32_t position = 0;
    for (std::size_t i = 0; i < message.positions[r].size(); ++i) {
        position += static_cast<std::uint32_t>(gaps[i]);
        message.positions[r][i] = position;
        message.values[r][i] = value_of(codes[i], step);
    }
}

/// Carries a message as integers: the codes of its values, and what is between its positions.
void carry_integers(SparseMessage& message, const SparseWire& wire, MessageForm form, const WordExchange& exchange,
                    StepExchanges& traffic) {
    const std::size_t ranks = message.positions.size();
    const double step = agreed_code_step(views(message.values), wire.bits, 100, traffic);
    RankWords codes{ElementType::integer, wire.bits, {}}, gaps{ElementType::integer, 0, {}};
    if (form.fixed_counts) codes.represented = represented_by(message, form);
    gaps.bits = static_cast<std::uint32_t>(std::bit_width(message.end - message.begin)) + 1;
    for (std::size_t r = 0; r < ranks; ++r) {
        codes.of_ranks.push_back(codes_of(message.values[r], step, wire.bits));
        std::ranges::transform(codes.of_ranks[r], message.values[r].begin(),
                               [&](Symbol code) { return value_of(code, step); });
        auto& own = gaps.of_ranks.emplace_back();
        std::uint32_t before = 0;
        for (const std::uint32_t position : message.positions[r]) {
            own.push_back(static_cast<Symbol>(position - before));
            before = position;
        }
    }
    WordExchange values = exchange;
    values.what = "values";
    values.after.push_back(traffic.next() - 1);
    const std::vector<Symbol> left = traffic.carry(values, codes);
    if (form.shared_positions) {
        message.sum.resize(left.size());
        std::ranges::transform(left, message.sum.begin(), [&](Symbol code) { return value_of(code, step); });
        return;
    }
    const std::vector<Symbol> distances =
        traffic.carry({.what = "gaps", .carrier = exchange.carrier, .after = exchange.after}, gaps);
    for (std::size_t r = 0; r < ranks; ++r)
        decode_integers(part_of(left, ranks, r), part_of(distances, ranks, r), step, message, r);
}

void carry(SparseMessage& message, const SparseWire& wire, MessageForm form, StepExchanges& traffic) {
    const bool both = wire.floats == CountedFloats::values_and_indices && !form.shared_positions;
    WordExchange exchange{.what = form.shared_positions ? "values" : "values and indices"};
    exchange.carrier = form.shared_positions ? CollectiveKind::all_reduce : CollectiveKind::all_gather;
    exchange.floats = (both ? 2 : 1) * longest(message);
    if (!form.fixed_counts) {
        RankWords counts;   // a message without an entry still represents all values
        counts.represented = represented_by(message, form);
        for (const Positions& positions : message.positions)
            counts.of_ranks.push_back({static_cast<Symbol>(positions.size()), 0});   // 8 bytes, as PyTorch's
        exchange.after.push_back(traffic.next());
        traffic.carry({.what = "sizes", .carrier = CollectiveKind::all_gather}, counts);
    }
    if (longest(message) == 0) return;
    if (wire.encoding == SparseEncoding::memory) carry_memory(message, wire, form, std::move(exchange), traffic);
    else carry_integers(message, wire, form, exchange, traffic);
}

/// Of a receiver, which adds all ranks' entries to zeros and divides by the number of ranks.
ComputeCost decoding(const std::vector<SparseMessage>& messages, std::uint64_t elements, bool summed_on_the_way) {
    ComputeCost result;
    for (const SparseMessage& message : messages)
        for (const Positions& positions : message.positions) result.additions += positions.size();
    if (summed_on_the_way) result.additions = 0;
    result.elements = elements + result.additions;
    return result;
}

}   // namespace

void check_wire(const SparseWire& wire) {
    if (wire.index_bytes != 4 && wire.index_bytes != 8)
        throw std::invalid_argument("index_bytes is " + std::to_string(wire.index_bytes) + "; write 4 or 8");
    if (wire.value_bytes != 2 && wire.value_bytes != 4)
        throw std::invalid_argument("value_bytes is " + std::to_string(wire.value_bytes) + "; write 2 or 4");
}

float rounded_to_half(float value) {
    constexpr float largest = 65504, smallest_normal = 0x1p-14f;
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t odd = bits >> 13 & 1;
    const float magnitude = std::fabs(value);
    // Adding 0.75 leaves 24 binary places, the number that a subnormal fp16 has.
    const float rounded = magnitude < smallest_normal
                              ? magnitude + 0.75f - 0.75f
                              : std::fabs(std::bit_cast<float>((bits + 0xfff + odd) & ~std::uint32_t{0x1fff}));
    if (rounded > largest)
        throw std::invalid_argument("value " + std::to_string(value) + " does not fit fp16; write value_bytes: 4");
    return std::copysign(rounded, value);
}

CompressionResult sent_step(std::vector<SparseMessage> messages, std::size_t ranks, std::uint64_t elements,
                            const SparseWire& wire, MessageForm form, Carrier& carrier) {
    if (form.shared_positions && wire.value_bytes == 2)
        throw std::invalid_argument(
            "value_bytes is 2, but values of shared positions are summed on the way, which "
            "fp16 may overflow; write value_bytes: 4");
    if (wire.messages == Messages::fused && messages.size() > 1) messages = {fused(messages, elements)};
    CompressionResult result;
    StepExchanges traffic(carrier, result);
    result.sent.assign(ranks, std::vector<float>(elements));
    for (SparseMessage& message : messages) {
        if (wire.value_bytes == 2) round_values(message);
        carry(message, wire, form, traffic);
        for (std::size_t r = 0; r < ranks; ++r) decode(message, r, result.sent[r]);
    }
    result.mean = summed(messages, result.sent[0], wire.scatter);
    for (float& value : result.mean) value /= static_cast<float>(ranks);
    result.operations = decoding(messages, elements, form.shared_positions);
    return result;
}

void put_first(WordExchange exchange, CompressionResult& step) {
    for (WordExchange& other : step.exchanges) {
        for (std::uint32_t& before : other.after) ++before;
        other.after.insert(other.after.begin(), 0);
    }
    step.exchanges.insert(step.exchanges.begin(), std::move(exchange));
}

}   // namespace oscar
