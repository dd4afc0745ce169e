// Family list of the compressors that quantise or approximate instead of leaving elements out.
#pragma once

#include "models/compressor/quantised/inceptionn.hpp"
#include "models/compressor/quantised/one_bit.hpp"
#include "models/compressor/quantised/power_sgd.hpp"
#include "models/compressor/quantised/qsgd.hpp"
#include "models/compressor/quantised/sign_vote.hpp"
#include "models/compressor/quantised/switch_ml.hpp"
#include "models/compressor/quantised/terngrad.hpp"
#include "models/compressor/quantised/thc.hpp"
#include "models/core/kinds.hpp"

namespace oscar {

// clang-format off
inline constexpr auto quantised_kinds = Entries{
    kind<QsgdParams>("qsgd", "QSGD: levels of a bucket's norm, rounded at random"),
    kind<TernGradParams>("terngrad", "TernGrad: -1, 0 or 1 times the largest magnitude, at random"),
    kind<OneBitParams>("one_bit", "1-bit SGD: signs and the means on both sides; needs error feedback"),
    kind<ScaledSignParams>("scaled_sign", "EF-signSGD: signs and the mean magnitude; needs error feedback"),
    kind<SignVoteParams>("sign_vote", "signSGD: the majority of the ranks' signs"),
    kind<PowerSgdParams>("power_sgd", "PowerSGD: two thin factors of each matrix; needs error feedback"),
    kind<ThcParams>("thc", "THC: rotated values, levels of a table of integers; needs error feedback"),
    kind<InceptionnParams>("inceptionn", "INCEPTIONN: 0, 8, 16 or 32 bits by size, recoded at every hop"),
    kind<SwitchMlParams>("switch_ml", "SwitchML: integers with an exponent for each packet")
};
// clang-format on

}   // namespace oscar
