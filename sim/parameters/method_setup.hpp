// The parts of a method, with or without values.
#pragma once

#include <cstdint>
#include <memory>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/gpu/gpu_kernels.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar {

/// The type of the words that the method sends: fp32, bf16, fp8, or integer codes.
ElementType element_type_of(const Method& method);

/// Schedule and widths of the method's collective, with folded ranks if the experiment has such.
Plan make_plan_of(const Parameters& parameters, const Method& method, const Topology& topology);

/// The method's own partition into chunks, or the experiment's.
const ChunkKind& chunks_of(const Parameters& parameters, const Method& method);
/// The method's own split, or the experiment's.
const SplitChoice& split_of(const Parameters& parameters, const Method& method);
/// The method's own classes, or the experiment's.
const ClassifierKind& classes_of(const Parameters& parameters, const Method& method);

/// True if `codec`, the method's codec, codes each class of values by itself.
bool codes_by_class(const Parameters& parameters, const Method& method, const Codec& codec);

/// The values that the GPU reads to plan an AllReduce of `elements` values by `codec`, the method's codec, where an
/// iteration came before.
Planning planning_of(const Parameters& parameters, const Method& method, const Codec& codec, std::uint64_t elements);

/// The method's codec, split where the values are coded and of sizes alone where the payload is size_only.
std::unique_ptr<Codec> make_codec_of(const Parameters& parameters, const Method& method, std::uint32_t classes);

/// The codec of what ports inside islands carry, uncoded integers; null where there is no such port, or the method
/// codes nothing.
std::unique_ptr<Codec> make_inside_codec_of(const Parameters& parameters, const Method& method);

}   // namespace oscar
