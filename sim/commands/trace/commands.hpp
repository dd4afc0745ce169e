// `oscar-sim trace` without its command line. Errors are InputErrors; a failed command leaves no partial output.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/terminal/progress.hpp"
#include "sim/terminal/text_table.hpp"
#include "sim/trace/value_type.hpp"

namespace oscar {

/// Header, a table per layer and a histogram of magnitudes of the iteration at position `iteration`, by
/// default the last that follows its predecessor, else the first. A screen too narrow for the table gets two.
std::string trace_info(const std::filesystem::path& folder, std::optional<std::uint64_t> iteration,
                       const Screen& screen);

/// The findings of verify_traces: a line per sound trace, and a line per trace that is not, in the order of the
/// folders.
struct Verified {
    std::vector<std::string> lines, errors;
};

/// Reads every value of every trace. A regular file is skipped with a line, so that `traces/*` may name a README.
/// Errors are whatever Trace refuses, such as a hash other than the one in trace.yaml; steps that do not ascend; no
/// text about the licence of the data.
Verified verify_traces(const std::vector<std::string>& folders);

/// The identity of a trace; see Trace::hash. With `write` the hashes of its arrays are written into its trace.yaml
/// first.
std::string trace_hash(const std::filesystem::path& folder, bool write);

struct ConvertOptions {
    std::string input, output;                  ///< file; new folder
    std::string name, model, licence, source;   ///< of trace.yaml; empty: the name is that of the folder
    ValueType dtype = ValueType::f4;            ///< f4 or f2
};
/// Writes a trace folder from an .npz, .npy or .safetensors file and gives a line about it, and a note if it has one
/// rank only. fp16 gets a power-of-two scale per iteration that brings its largest magnitude to between 2^14 and 2^15.
std::string convert_trace(const ConvertOptions& options);

struct SliceOptions {
    std::string input, output;
    std::string iterations;    ///< "a:b": positions from a to b - 1; either may be left out; empty: all
    std::uint32_t ranks = 0;   ///< the first so many; 0: all
    std::string layers;        ///< patterns like "conv*,fc1.*"; empty: all
};
/// Writes the chosen part of a trace as a new one with the same value type, and gives a line about it.
std::string slice_trace(const SliceOptions& options);

struct GenerateOptions {
    std::string output;
    std::string like, stage;                   ///< captured trace to fit; its stage, by default the last
    std::optional<std::uint32_t> ranks;        ///< default: as in `like`, else 8
    std::optional<std::uint64_t> elements;     ///< per rank, about; default: as in `like`, else 100,000
    std::optional<std::uint32_t> iterations;   ///< default: the number fitted, else 4
    std::uint64_t seed = 1;
    std::vector<std::string> overrides;   ///< [PATTERN:]KEY=VALUE of LayerParams; the pattern names layers
    ValueType dtype = ValueType::f4;      ///< f4 or f2
};
/// Writes a trace drawn from a statistical model (docs/trace-generator.md), and gives a line about it; `progress` is
/// told of the values drawn. Memory does not depend on elements, ranks or iterations, but on rows and columns of the
/// largest layer times the ranks.
std::string generate_trace(const GenerateOptions& options, const Progress& progress);

}   // namespace oscar
