#include "models/codec/interface/codec.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "models/codec/kinds/codecs.hpp"
#include "python/bindings/arrays.hpp"
#include "python/bindings/bindings.hpp"

namespace oscar::python {

namespace {

/// A codec of one framing; all state comes with the call, as in C++.
class PyCodec {
public:
    PyCodec(const std::string& json, const Framing& framing)
        : codec_(make_codec(read_kind_from<CodecChoice>(json, "codec"), framing)) {}

    py::bytes encode(const Array<Symbol>& symbols, std::uint32_t width, const Table* table, const Context& at) const {
        const Encoded message = codec_->encode(elements(symbols, "symbols"), of_width(at, width), table);
        return {reinterpret_cast<const char*>(message.bytes.data()), message.bytes.size()};
    }
    py::array_t<Symbol> decode(const py::bytes& bytes, std::size_t size, std::uint32_t width, const Table* table,
                               const Context& at) const {
        const std::string_view view = bytes;
        std::vector<Symbol> symbols(size);
        codec_->decode(std::as_bytes(std::span(view)), of_width(at, width), table, symbols);
        return to_array(std::move(symbols));
    }
    /// The table of the symbols, or None where the codec has none.
    std::unique_ptr<Table> learn(const Array<Symbol>& symbols, std::uint32_t width) const {
        Counts counts;
        codec_->learn(elements(symbols, "symbols"), width, counts);
        if (counts.empty() || symbols.size() == 0) return nullptr;
        return std::make_unique<Table>(codec_->make_table(counts, width));
    }

private:
    static Context of_width(Context at, std::uint32_t width) {
        at.width = width;
        return at;
    }
    std::unique_ptr<Codec> codec_;
};

std::vector<std::uint32_t> counts_of(const Table& table) {
    std::vector<std::uint32_t> counts;
    for (std::size_t row = 0; row < table_rows; ++row) counts.push_back(table.count(row));
    return counts;
}

/// Throws std::invalid_argument unless `value` is 0 .. `most`.
std::uint32_t in_range(const char* what, std::int64_t value, std::uint32_t most) {
    if (value >= 0 && value <= most) return static_cast<std::uint32_t>(value);
    throw std::invalid_argument(fmt::format("{}: {} is out of range; choose 0 to {}", what, value, most));
}

Context context(std::int64_t epoch, std::int64_t timestep, std::int64_t chunk) {
    return {.width = 32,
            .epoch = static_cast<std::uint8_t>(in_range("epoch", epoch, 255)),
            .timestep = Timestep{in_range("timestep", timestep, 65535)},
            .chunk = ChunkId{in_range("chunk", chunk, 65535)}};
}

std::string text_of(const Context& c) {
    return fmt::format("Context(epoch={}, timestep={}, chunk={})", c.epoch, c.timestep.value, c.chunk.value);
}

}   // namespace

void bind_codec(py::module_& module) {
    py::class_<Table>(module, "Table")
        .def_property_readonly("width", [](const Table& t) { return t.width; })
        .def_property_readonly("counts", [](const Table& t) { return to_array(counts_of(t)); })
        .def_property_readonly("check", &Table::check)
        .def("cost", &Table::cost, py::arg("symbol"))
        .def(
            "__eq__", [](const Table& a, const Table& b) { return a == b; }, py::is_operator())
        .def("__repr__",
             [](const Table& t) { return fmt::format("<Table of width {}, check {:#06x}>", t.width, t.check()); });
    py::class_<Context>(module, "Context")
        .def(py::init(&context), py::arg("epoch") = 0, py::arg("timestep") = 0, py::arg("chunk") = 0)
        .def("__repr__", &text_of);
    py::class_<PyCodec>(module, "Codec")
        .def(py::init([](const std::string& json, std::uint32_t lanes, std::uint32_t lane_values, std::uint32_t least) {
                 return PyCodec(json, Framing{lanes, lane_values, least});
             }),
             py::arg("json"), py::arg("lanes") = Framing{}.lanes, py::arg("lane_values") = Framing{}.lane_values,
             py::arg("min_lane_values") = Framing{}.min_lane_values)
        .def("encode", &PyCodec::encode, py::arg("symbols").noconvert(), py::arg("width"),
             py::arg("table") = py::none(), py::arg("at") = Context{})
        .def("decode", &PyCodec::decode, py::arg("message"), py::arg("size"), py::arg("width"),
             py::arg("table") = py::none(), py::arg("at") = Context{})
        .def("learn", &PyCodec::learn, py::arg("symbols").noconvert(), py::arg("width"));
}

}   // namespace oscar::python
