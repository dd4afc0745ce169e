// Names of methods beside the kinds: a published method, and the words of other tools.
#pragma once

#include <array>
#include <string_view>

#include "sim/config/node.hpp"

namespace oscar {

/// A published method: a name for a codec with the keys that make it this method.
struct MethodPreset {
    std::string_view name, meaning;
    std::string_view keys;   ///< a method as an experiment has it, in YAML
};

inline constexpr std::array method_presets{
    MethodPreset{"oscar_hw", "OSCAR-HW with the coder ASC, as by the abstract of its paper (HPCA 2026)",
                 "{kind: asc, split: context, adapt: symbol, chunks: {kind: greedy}, classes: {kind: mixed}}"},
};

/// A word of other tools, in lower case without hyphens and underscores, and the name of what it means.
struct Synonym {
    std::string_view word, name;
};

inline constexpr std::array method_synonyms{
    Synonym{"oscar", "oscar_hw"},
    Synonym{"signs", "one_bit"},
    Synonym{"sign", "one_bit"},
    Synonym{"signsgd", "one_bit or sign_vote"},
    Synonym{"efsignsgd", "scaled_sign"},
    Synonym{"int8", "fixed_point"},
    Synonym{"int4", "fixed_point"},
    Synonym{"float8", "fp8"},
    Synonym{"e5m2", "fp8"},
    Synonym{"e4m3", "fp8"},
    Synonym{"integers", "fixed_point"},
    Synonym{"quantised", "fixed_point"},
    Synonym{"quantized", "fixed_point"},
    Synonym{"fp16", "bf16"},
    Synonym{"half", "bf16"},
    Synonym{"bfloat16", "bf16"},
    Synonym{"none", "fp32"},
    Synonym{"float32", "fp32"},
    Synonym{"uncompressed", "fp32"},
    Synonym{"ans", "rans"},
    Synonym{"lowrank", "power_sgd"},
};

/// The name, or names, of what others call `word`; empty for other words.
std::string_view method_meant_by(std::string_view word);

/// The method at `node` with the keys of its preset, over which those of the node win; `node` itself where it names no
/// preset. Keys of the preset have the place of the node.
ConfigNode with_preset(const ConfigNode& node);

}   // namespace oscar
