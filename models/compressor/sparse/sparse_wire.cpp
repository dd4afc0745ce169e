#include "models/compressor/sparse/sparse_wire.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

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

/// Rank after rank. Only what was sent is added, except of rank 0, whose zeros keep the signs of a dense sum.
std::vector<float> summed(const std::vector<SparseMessage>& messages, const std::vector<float>& of_rank_0,
                          Scatter scatter) {
    const bool corrected = scatter == Scatter::corrected;
    std::vector<float> sum = corrected ? of_rank_0 : std::vector<float>(of_rank_0.size());
    for (const SparseMessage& message : messages)
        for (std::size_t r = corrected ? 1 : 0; r < message.positions.size(); ++r)
            if (scatter == Scatter::accumulate) accumulate(message, r, sum);
            else overwrite(message, r, corrected ? 0 : longest(message), sum);
    return sum;
}

Exchange exchange_of(const SparseMessage& message, const SparseWire& wire, MessageForm form) {
    const std::uint64_t entry = wire.value_bytes + (form.shared_positions ? 0 : wire.index_bytes);
    const bool both = wire.floats == CountedFloats::values_and_indices && !form.shared_positions;
    Exchange result;
    result.what = form.shared_positions ? "values" : "values and indices";
    result.carrier = form.shared_positions ? CollectiveKind::all_reduce : CollectiveKind::all_gather;
    for (const Positions& positions : message.positions) result.payload.push_back(entry * positions.size());
    result.padded = entry * longest(message);
    result.floats = (both ? 2 : 1) * longest(message);
    return result;
}

void append_exchanges(const SparseMessage& message, const SparseWire& wire, MessageForm form,
                      std::vector<Exchange>& exchanges) {
    Exchange exchange = exchange_of(message, wire, form);
    if (!form.fixed_counts) {
        exchange.after.push_back(static_cast<std::uint32_t>(exchanges.size()));
        exchanges.push_back(
            {"sizes", CollectiveKind::all_gather, std::vector<std::uint64_t>(exchange.payload.size(), 8), 8, 0, {}});
    }
    if (exchange.padded > 0) exchanges.push_back(std::move(exchange));
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
                            const SparseWire& wire, MessageForm form) {
    if (wire.messages == Messages::fused && messages.size() > 1) messages = {fused(messages, elements)};
    CompressionResult result;
    result.sent.assign(ranks, std::vector<float>(elements));
    for (SparseMessage& message : messages) {
        if (wire.value_bytes == 2) round_values(message);
        for (std::size_t r = 0; r < ranks; ++r) decode(message, r, result.sent[r]);
        append_exchanges(message, wire, form, result.exchanges);
    }
    result.mean = summed(messages, result.sent[0], wire.scatter);
    for (float& value : result.mean) value /= static_cast<float>(ranks);
    result.operations = decoding(messages, elements, form.shared_positions);
    return result;
}

void put_first(Exchange exchange, CompressionResult& step) {
    for (Exchange& other : step.exchanges) {
        for (std::uint32_t& before : other.after) ++before;
        other.after.insert(other.after.begin(), 0);
    }
    step.exchanges.insert(step.exchanges.begin(), std::move(exchange));
}

}   // namespace oscar
