// The operations on vectors of one instruction set, as functions on arrays, with their scalar meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace oscar::test {

/// Elementwise: out[i] is a function of a[i] and b[i] for each element of a register.
struct Operation {
    const char* name;
    void (*vector)(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out);
    std::uint32_t (*scalar)(std::uint32_t a, std::uint32_t b);
};

/// A RowTable of 16 words, and a gather from them as words and at bytes.
struct LookUps {
    void (*at)(const std::uint32_t* table, const std::uint32_t* rows, std::uint32_t* out);
    void (*gather)(const std::uint32_t* table, const std::uint32_t* index, std::uint32_t* out);
    void (*gather_at_bytes)(const std::uint32_t* table, const std::uint32_t* index, std::uint32_t* out);
};

/// Operations on the first `size` elements.
struct MaskedOperations {
    std::uint32_t (*bits)(std::size_t size);
    void (*load)(std::size_t size, const std::int32_t* from, std::uint32_t* out);
    void (*load_bytes)(std::size_t size, const std::uint8_t* from, std::uint32_t* out);
    void (*store)(std::size_t size, std::int32_t* to, const std::uint32_t* given);
    void (*scatter)(std::size_t size, std::uint32_t* to, const std::uint32_t* index, const std::uint32_t* given);
};

/// Everything for one instruction set. Quotients are no Operation, for they may be one less.
struct VectorSet {
    std::size_t lanes_per_register;
    std::vector<Operation> operations;
    LookUps look_ups;
    MaskedOperations masked;
    void (*rough_quotient)(const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out);
};

/// Empty where there are none.
VectorSet avx2_vectors();
VectorSet avx512_vectors();

}   // namespace oscar::test
