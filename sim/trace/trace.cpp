#include "sim/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "models/core/hash.hpp"
#include "sim/config/load.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/mapped_file.hpp"

namespace oscar {
namespace {

/// NaN and infinities have all exponent bits set.
bool is_finite(float value) {
    constexpr std::uint32_t exponent = 0x7f80'0000;
    return (std::bit_cast<std::uint32_t>(value) & exponent) != exponent;
}

}   // namespace

std::span<const float> IterationView::gradient(Rank rank) const {
    if (rank.value >= array_.rows())
        throw std::out_of_range(fmt::format("rank {} of an iteration with {} ranks", rank.value, array_.rows()));
    return array_.values().subspan(rank.value * array_.columns(), array_.columns());
}

Trace::Trace(std::filesystem::path folder, ConfigNode root)
    : folder_(std::move(folder)),
      root_(std::move(root)),
      manifest_(read_manifest(root_)),
      layer_offsets_(oscar::layer_offsets(manifest_)) {}

Trace Trace::open(const std::filesystem::path& folder) { return {folder, load_config(folder / "trace.yaml")}; }

std::filesystem::path Trace::array_file(std::size_t position) const {
    return folder_ / manifest_.iterations.at(position).file;
}

IterationView Trace::iteration(std::size_t position) const {
    const std::filesystem::path file = array_file(position);
    NpyArray array = NpyArray::open(file);
    check_shape(array, file.string());
    check_finite(array, file.string());
    return IterationView(std::move(array));
}

void Trace::check_shape(const NpyArray& array, const std::string& name) const {
    if (array.rows() == ranks() && array.columns() == elements()) return;
    throw TraceError(fmt::format("{}: has shape {}, but {} says ranks {} and {} says parameters {}; make them agree",
                                 name, shape_text(array.header().shape), root_.child("ranks").location.text(), ranks(),
                                 root_.child("parameters").location.text(), elements()));
}

void Trace::check_finite(const NpyArray& array, const std::string& name) const {
    const std::span<const float> values = array.values();
    const auto bad = std::find_if_not(values.begin(), values.end(), is_finite);
    if (bad == values.end()) return;
    const auto position = static_cast<std::uint64_t>(bad - values.begin());
    const std::uint64_t element = position % elements();
    const auto end = std::upper_bound(layer_offsets_.begin(), layer_offsets_.end(), element);
    const auto layer = static_cast<std::size_t>(end - layer_offsets_.begin()) - 1;
    throw TraceError(
        fmt::format("{}: the gradient of rank {} is {} at value {} of layer {} (value {} of the gradient); "
                    "capture iterations whose gradients are finite",
                    name, position / elements(), std::isnan(*bad) ? "NaN" : "infinite", element - layer_offsets_[layer],
                    manifest_.layers[layer].name, element));
}

bool Trace::follows(std::size_t position) const {
    if (position == 0) return false;
    return manifest_.iterations.at(position).step == manifest_.iterations.at(position - 1).step + 1;
}

std::string Trace::hash() const {
    std::uint64_t state = fnv1a(MappedFile(folder_ / "trace.yaml").bytes());
    for (std::size_t i = 0; i < iterations(); ++i) state = fnv1a(MappedFile(array_file(i)).bytes(), state);
    return fmt::format("{:016x}", state);
}

}   // namespace oscar
