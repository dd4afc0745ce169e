// Captured gradients: a folder with trace.yaml and one .npy array per iteration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/core/index.hpp"
#include "sim/config/node.hpp"
#include "sim/trace/manifest.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {

/// The gradients of one iteration, all finite, in fp32. Owns the mapped file.
class IterationView {
public:
    /// value = stored * scale.
    explicit IterationView(NpyArray array, float scale = 1)
        : array_(std::move(array)), scale_(scale), widened_(array_.rows()) {}

    std::uint32_t ranks() const { return static_cast<std::uint32_t>(array_.rows()); }
    std::uint64_t elements() const { return array_.columns(); }   ///< values of one gradient

    /// The gradient of one rank, [elements]; valid as long as the view lives, also after a move. It shows fp32 where it
    /// lies in the file. fp16, bf16 and misaligned fp32 are converted at the first call for the rank and kept, so
    /// calls from several threads need a lock. std::out_of_range: no such rank.
    std::span<const float> gradient(Rank rank) const;
    /// Appends `count` values of a rank's gradient from `first` on, and keeps nothing of them: a bucket of a large
    /// model costs the memory of the bucket. std::out_of_range: no such rank. Precondition: the gradient has them.
    void append_to(std::vector<float>& values, Rank rank, std::uint64_t first, std::uint64_t count) const;

private:
    void check(Rank rank) const;

    NpyArray array_;
    float scale_;
    mutable std::vector<std::vector<float>> widened_;   // per rank; empty if not needed or not yet
};

/// A trace folder. Opening reads trace.yaml only; arrays are mapped when asked for, and never copied whole.
class Trace {
public:
    /// The folder, or the shipped one of that path or name. ConfigError: see load_config, read_manifest.
    static Trace open(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }
    const TraceManifest& manifest() const { return manifest_; }
    std::uint32_t ranks() const { return manifest_.ranks; }                  ///< rows of each array
    std::uint64_t elements() const { return manifest_.parameters; }          ///< values of one gradient
    std::size_t iterations() const { return manifest_.iterations.size(); }   ///< captured ones

    /// The start of each layer in a gradient, and the end of the last: layers + 1 ascending offsets from 0 to
    /// elements().
    const std::vector<std::uint64_t>& layer_offsets() const { return layer_offsets_; }

    /// Maps the array at `position`, from 0, without touching its values, which may therefore be NaN or infinite.
    /// TraceError: see NpyArray::open; a shape other than [ranks, elements]; a scale beside values that are not fp16.
    /// std::out_of_range: no such position.
    NpyArray array(std::size_t position) const;
    /// value = stored * scale, exactly.
    float scale(std::size_t position) const { return static_cast<float>(manifest_.iterations.at(position).scale); }

    /// TraceError if a value of `part`, which lies in array.bytes(), is NaN or infinite. `array` is that of `position`.
    void check_finite(const NpyArray& array, std::span<const std::byte> part, std::size_t position) const;

    /// The array at `position` with all values checked. TraceError: see array(); a value that is NaN or infinite.
    IterationView iteration(std::size_t position) const;

    /// True if the capture at `position` is of the training step right after the one of `position - 1`; false at 0.
    /// Where it is false, what was learned from earlier iterations (tables, boundaries, residuals) does not apply.
    bool follows(std::size_t position) const;

    /// The identity of the contents, 16 hexadecimal digits: XXH3 over trace.yaml and the hashes of all arrays in order.
    /// Reads every byte. TraceError: an array has another hash than trace.yaml says (format 2).
    std::string hash() const;

    /// True if trace.yaml gives the hash of each array: format 2.
    bool has_hashes() const { return manifest_.format > 1; }

private:
    Trace(std::filesystem::path folder, ConfigNode root);
    std::filesystem::path array_file(std::size_t position) const;
    void check_shape(const NpyArray& array, const std::string& name) const;
    void check_hash(std::size_t position, const std::string& found) const;
    [[noreturn]] void refuse_value(std::uint64_t position, float value, const std::string& name) const;

    std::filesystem::path folder_;
    ConfigNode root_;   // for the places in errors
    TraceManifest manifest_;
    std::vector<std::uint64_t> layer_offsets_;
};

}   // namespace oscar
