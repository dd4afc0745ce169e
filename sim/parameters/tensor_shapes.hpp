// The tensors of a bucket as lossy compressors see them.
#pragma once

#include <span>
#include <vector>

#include "models/compressor/base/compressor.hpp"
#include "sim/trace/manifest.hpp"

namespace oscar {

/// The tensors of `layers`, positions in the manifest, one after the other. One of several dimensions is a matrix,
/// whose rows are the first of them.
inline std::vector<TensorShape> tensor_shapes(const TraceManifest& manifest, std::span<const std::size_t> layers) {
    std::vector<TensorShape> shapes;
    std::uint64_t begin = 0;
    for (const std::size_t l : layers) {
        const std::vector<std::uint64_t>& shape = manifest.layers[l].shape;
        std::uint64_t values = 1;
        for (const std::uint64_t size : shape) values *= size;
        shapes.push_back({begin, begin + values, shape.size() > 1 ? shape.front() : 0});
        begin += values;
    }
    return shapes;
}

}   // namespace oscar
