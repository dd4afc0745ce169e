// The parts of a method, with or without values.
#pragma once

#include <cstdint>
#include <memory>

#include "models/collective/endpoint/rank_state.hpp"
#include "models/nic/gpu_kernels.hpp"
#include "sim/parameters/parameters.hpp"

namespace oscar::inline parameters {

/// What its words are: those of fp32, of bf16, or codes.
ElementType number_of(const Method& method);

/// Schedule and widths of its AllReduce.
Plan make_plan_of(const Parameters& parameters, const Method& method, const Topology& topology);

/// The chunks, the split and the classes that it asks for, or the experiment's.
const ChunkKind& chunks_of(const Parameters& parameters, const Method& method);
const SplitChoice& split_of(const Parameters& parameters, const Method& method);
const ClassifierKind& classes_of(const Parameters& parameters, const Method& method);

/// Whether `codec`, that of the method, codes each class of values by itself.
bool codes_by_class(const Parameters& parameters, const Method& method, const Codec& codec);

/// What the GPU reads to plan an AllReduce of `elements` values, by `codec`, that of the method, where an iteration
/// came before.
Planning planning_of(const Parameters& parameters, const Method& method, const Codec& codec, std::uint64_t elements);

/// Its codec, split where the values are coded and of sizes alone where the payload is size_only.
std::unique_ptr<Codec> make_codec_of(const Parameters& parameters, const Method& method, std::uint32_t classes);

}   // namespace oscar::inline parameters
