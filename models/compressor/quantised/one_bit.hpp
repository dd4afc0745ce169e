// One bit a value, with what its sign stands for: the means of 1-bit SGD, the mean magnitude of EF-signSGD.
#pragma once

#include "models/compressor/base/compressor.hpp"
#include "models/core/fields.hpp"

namespace oscar {

/// 1-bit SGD: of each tensor the signs, the mean of its negative values and that of the others, which its values
/// become. Error feedback around it is part of the method. Source: Seide et al., Interspeech 2014, section 3 (there by
/// columns of the weights; by tensors as in the GRACE repository, whose decoder inverts bytes instead of bits).
struct OneBitParams {
    static constexpr auto fields() { return Entries{}; }
};
/// Two floats a tensor travel beside the signs, by all-gather. No error feedback inside; the seed is not used.
std::unique_ptr<Compressor> make_compressor(const OneBitParams& params, std::uint32_t ranks, std::uint64_t seed);

/// EF-signSGD: of each tensor of n values the signs and m = |v|_1 / n; its values become +-m, zero counting as +. Error
/// feedback around it is part of the method. Law: the squared error is (1 - |v|_1^2 / (n |v|_2^2)) |v|_2^2. Source:
/// Karimireddy et al., ICML 2019, Algorithm 1.
struct ScaledSignParams {
    static constexpr auto fields() { return Entries{}; }
};
/// One float a tensor travels beside the signs, by all-gather. No error feedback inside; the seed is not used.
std::unique_ptr<Compressor> make_compressor(const ScaledSignParams& params, std::uint32_t ranks, std::uint64_t seed);

/// The values for which the two signs of one tensor stand.
struct SignMeaning {
    float negative = 0, other = 0;
};
/// The means of the negative values and of the others; 0 of none.
SignMeaning means_by_sign(std::span<const float> values);
/// -+ the mean magnitude.
SignMeaning mean_magnitude_by_sign(std::span<const float> values);
/// Writes for each value what its sign stands for; `out` is as long as `values`.
void replace_signs(std::span<const float> values, SignMeaning meaning, std::span<float> out);

}   // namespace oscar
