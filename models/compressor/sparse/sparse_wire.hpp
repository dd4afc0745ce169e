// Wire formats of sparse gradients: values and indices, and their decoding.
#pragma once

#include <array>

#include "models/compressor/base/carrier.hpp"
#include "models/compressor/base/selection.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// Grouping of tensors into messages.
enum class Messages : std::uint8_t { per_tensor, fused };
constexpr auto choices(Messages) {
    return std::array{Choice{"per_tensor", Messages::per_tensor,
                             "a collective for each tensor, padded to its longest message, as published"},
                      Choice{"fused", Messages::fused, "one collective for all tensors, padded once"}};
}

/// A receiver's addition of the gathered messages.
enum class Scatter : std::uint8_t { corrected, overwrite, accumulate };
constexpr auto choices(Scatter) {
    return std::array{
        Choice{"corrected", Scatter::corrected, "what each rank says of its gradient; padding is left out"},
        Choice{"overwrite", Scatter::overwrite,
               "as GraVAC's repository: an indexed add that does not accumulate within a message, and padding of index "
               "0, value 0, which undoes what a shorter message said of element 0"},
        Choice{"accumulate", Scatter::accumulate,
               "an indexed add that accumulates: an element drawn twice counts twice"}};
}

/// Numbers that count as floats sent.
enum class CountedFloats : std::uint8_t { values, values_and_indices };
constexpr auto choices(CountedFloats) {
    return std::array{Choice{"values", CountedFloats::values, "values alone, as GraVAC's tables"},
                      Choice{"values_and_indices", CountedFloats::values_and_indices, "both, as Accordion's"}};
}

/// The form of values and indices in a message.
enum class SparseEncoding : std::uint8_t { memory, integers };
constexpr auto choices(SparseEncoding) {
    return std::array{Choice{"memory", SparseEncoding::memory, "floats and indices as they are in memory"},
                      Choice{"integers", SparseEncoding::integers,
                             "for a codec: values as codes of one scale that the ranks agree on, and indices as gaps"}};
}

/// Parameters that all sparsifiers share: the form of their messages.
struct SparseWire {
    SparseEncoding encoding = SparseEncoding::memory;
    std::uint32_t bits = 8;
    std::uint32_t index_bytes = 4;
    std::uint32_t value_bytes = 4;
    Messages messages = Messages::per_tensor;
    Scatter scatter = Scatter::corrected;
    CountedFloats floats = CountedFloats::values;
    static constexpr auto fields() {
        return Entries{
            field("encoding", &SparseWire::encoding, "form of values and indices in a message"),
            field("bits", &SparseWire::bits, "width of a value's code (encoding: integers)", 2u, 24u),
            field("index_bytes", &SparseWire::index_bytes, "bytes of an index: 4, or 8 as PyTorch's", 4u, 8u),
            field("value_bytes", &SparseWire::value_bytes, "bytes of a value: 4, or 2 if rounded to fp16", 2u, 4u),
            field("messages", &SparseWire::messages, "grouping of tensors into messages"),
            field("scatter", &SparseWire::scatter, "addition of the gathered messages at a receiver"),
            field("floats", &SparseWire::floats, "numbers counted as floats sent"),
        };
    }
};
/// See send_integers(OneOf<List>&).
inline void send_integers(SparseWire& wire) { wire.encoding = SparseEncoding::integers; }
/// Throws std::invalid_argument for index_bytes other than 4 and 8, or value_bytes other than 2 and 4.
void check_wire(const SparseWire& wire);

/// The messages of all ranks for elements [begin, end); positions count from begin.
struct SparseMessage {
    std::uint64_t begin = 0, end = 0;
    std::vector<Positions> positions;         ///< per rank
    std::vector<std::vector<float>> values;   ///< per rank, as they stand on the wire
    std::vector<float> sum{};                 ///< of the ranks' values, where it is formed on the way
};

/// Properties of the messages that are fixed beforehand.
struct MessageForm {
    bool shared_positions = false;   ///< the values are summed by all-reduce
    bool fixed_counts = true;        ///< else the ranks tell them in an all-gather of 8 bytes before
};

/// The mean that all ranks decode, what the messages say of each sender's gradient of `elements` elements, the
/// collectives, and the operations of decoding.
/// Throws std::invalid_argument for values of 2 bytes whose positions are shared: a sum of fp16 may leave its range.
CompressionResult sent_step(std::vector<SparseMessage> messages, std::size_t ranks, std::uint64_t elements,
                            const SparseWire& wire, MessageForm form, Carrier& carrier);

/// Puts an exchange before all others of a step, which wait for it.
void put_first(WordExchange exchange, CompressionResult& step);

/// The nearest fp16 value, halves to even. Throws std::invalid_argument beyond its range.
float rounded_to_half(float value);

}   // namespace oscar
