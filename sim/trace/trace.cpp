#include "sim/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "sim/config/load.hpp"
#include "sim/config/text.hpp"
#include "sim/trace/array_hash.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/find_trace.hpp"

namespace oscar {

void IterationView::check(Rank rank) const {
    if (rank.value >= array_.rows())
        throw std::out_of_range(fmt::format("rank {} of an iteration with {} ranks", rank.value, array_.rows()));
}

void IterationView::append_to(std::vector<float>& values, Rank rank, std::uint64_t first, std::uint64_t count) const {
    check(rank);
    values.resize(values.size() + count);
    widen(array_.bytes(rank.value, first, count), array_.type(), scale_, std::span(values).last(count));
}

std::span<const float> IterationView::gradient(Rank rank) const {
    check(rank);
    if (array_.in_place() && scale_ == 1) return array_.row(rank.value);
    std::vector<float>& row = widened_[rank.value];
    if (row.empty()) {
        row.resize(elements());
        widen(array_.bytes(rank.value, 0, elements()), array_.type(), scale_, row);
    }
    return row;
}

Trace::Trace(std::filesystem::path folder, ConfigNode root)
    : folder_(std::move(folder)),
      root_(std::move(root)),
      manifest_(read_manifest(root_)),
      layer_offsets_(oscar::layer_offsets(manifest_)) {}

Trace Trace::open(const std::filesystem::path& name) {
    const auto folder = find_trace_named(name);
    if (!folder) throw ConfigError(fmt::format("{}: {}", shortened(name.string(), 200), why_no_trace(name, "")));
    return {*folder, load_config(file_of_folder(*folder, "trace.yaml"))};
}

std::filesystem::path Trace::array_file(std::size_t position) const {
    return file_of_folder(folder_, manifest_.iterations.at(position).file);
}

NpyArray Trace::array(std::size_t position) const {
    const std::filesystem::path file = array_file(position);
    NpyArray array = NpyArray::open(file, manifest_.dtype);
    check_shape(array, file.string());
    if (array.type() != ValueType::f2 && scale(position) != 1)
        root_.child("iterations")
            .child(std::to_string(position))
            .child("scale")
            .fail(fmt::format("belongs to fp16, but the values of {} are {}; leave it out", file.string(),
                              to_text(array.type())));
    return array;
}

IterationView Trace::iteration(std::size_t position) const {
    NpyArray values = array(position);
    values.file().walk(values.bytes(), [&](std::span<const std::byte> block) {
        check_finite(values, block, position);
        return true;
    });
    return IterationView(std::move(values), scale(position));
}

void Trace::check_shape(const NpyArray& array, const std::string& name) const {
    if (array.rows() == ranks() && array.columns() == elements()) return;
    throw TraceError(fmt::format("{}: has shape {}, but {} says ranks {} and {} says parameters {}; make them agree",
                                 name, shape_text(array.header().shape), root_.child("ranks").location.text(), ranks(),
                                 root_.child("parameters").location.text(), elements()));
}

void Trace::check_finite(const NpyArray& array, std::span<const std::byte> part, std::size_t position) const {
    const std::size_t width = bytes_of(array.type()), at = first_not_finite(part, array.type());
    if (at == part.size() / width) return;
    float bad = 0;
    widen(part.subspan(at * width, width), array.type(), 1, {&bad, 1});
    const auto before = static_cast<std::uint64_t>(part.data() - array.bytes().data()) / width;
    refuse_value(before + at, bad, array_file(position).string());
}

void Trace::refuse_value(std::uint64_t position, float value, const std::string& name) const {
    const std::uint64_t element = position % elements();
    const auto end = std::upper_bound(layer_offsets_.begin(), layer_offsets_.end(), element);
    const auto layer = static_cast<std::size_t>(end - layer_offsets_.begin()) - 1;
    throw TraceError(
        fmt::format("{}: the gradient of rank {} is {} at value {} of layer {} (value {} of the gradient); "
                    "capture iterations whose gradients are finite",
                    name, position / elements(), std::isnan(value) ? "NaN" : "infinite",
                    element - layer_offsets_[layer], manifest_.layers[layer].name, element));
}

bool Trace::follows(std::size_t position) const {
    if (position == 0) return false;
    return manifest_.iterations.at(position).step == manifest_.iterations.at(position - 1).step + 1;
}

std::string Trace::hash() const {
    FileHash state;
    state.add(MappedFile(folder_ / "trace.yaml").bytes());
    for (std::size_t i = 0; i < iterations(); ++i) {
        const std::string found = file_hash(array_file(i));
        check_hash(i, found);
        state.add(std::as_bytes(std::span(found)));
    }
    return state.text();
}

void Trace::check_hash(std::size_t position, const std::string& found) const {
    const std::string& expected = manifest_.iterations[position].hash;
    if (!has_hashes() || found == expected) return;
    iteration(position);   // a file that is cut off or holds NaN says more than its hash
    const ConfigNode said = root_.child("iterations").child(std::to_string(position)).child("hash");
    throw TraceError(
        fmt::format("{}: has the hash {}, but {} says {}, so it was changed; bring back the file, or keep the change "
                    "by oscar-sim trace hash --write {}",
                    array_file(position).string(), found, said.location.text(), expected, folder_.string()));
}

}   // namespace oscar
