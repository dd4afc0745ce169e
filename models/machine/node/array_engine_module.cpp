#include "models/machine/node/array_engine_module.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/inline_table.hpp"
#include "models/engine/arrays/decoder_cycles.hpp"
#include "models/engine/arrays/encoder_cycles.hpp"

namespace oscar {
namespace {

/// Edges after which an array without blocks only counts the turns of its streams, of which there are 1, 2 or 4.
constexpr Cycles settled_after = 64, turns = 4;

/// Of `edges` of an array without blocks those that change nothing.
Cycles idle(Cycles edges) { return edges <= settled_after ? 0 : (edges - settled_after) / turns * turns; }

/// Those of the context, or the one that the message's first coded block brings.
std::vector<Table> tables_of(const MessageContents& contents) {
    const Encoded& message = *contents.message;
    const auto brings = std::ranges::find(message.blocks, BlockMode::coded_inline, &Block::mode);
    if (!contents.tables.empty() || brings == message.blocks.end() || !contents.layout) return contents.tables;
    const std::uint32_t width = contents.context.width;
    const auto bytes = std::span(message.bytes).subspan(brings->offset + block_header_bytes);
    return {read_table(bytes.first(inline_table_bytes(*contents.layout, width)), *contents.layout, width)};
}

ArrayShape shape_of(const EngineParams& params) { return {.lanes = params.lanes, .streams = params.streams}; }

}   // namespace

ArrayEngineModule::ArrayEngineModule(const sc_core::sc_module_name& name, const EngineParams& params, MakeArray make)
    : ClockedEngineModule(name, params), framing_(params.framing()), make_(std::move(make)) {}

void ArrayEngineModule::begin() {
    ClockedEngineModule::begin();
    for (Side& side : sides_) {
        for (const auto& model : side.by_layout)
            if (model) model->reset();
        side = {.by_layout = std::move(side.by_layout)};
    }
}

void ArrayEngineModule::edge() {
    try {
        clock(EngineArray::encoder);
        clock(EngineArray::decoder);
    } catch (const std::runtime_error& error) {
        fail(std::make_exception_ptr(std::runtime_error(std::string(this->name()) + ": cycle " +
                                                        std::to_string(cycle()) + ": " + error.what())));
    }
}

void ArrayEngineModule::clock(EngineArray unit) {
    Side& side = of(unit);
    if (side.model != nullptr) {
        if (side.clocked < cycle()) side.clocked += idle(cycle() - side.clocked);
        while (side.clocked < cycle()) step(unit);
    }
    if (offered(unit) != nullptr) offer(unit);
}

void ArrayEngineModule::step(EngineArray unit) {
    Side& side = of(unit);
    ++side.clocked;
    const ArrayEvents events = side.model->step();
    if (events.taken) release(unit);
    if (!events.finished) return;
    side.inside.pop_front();
    finish(unit);
}

void ArrayEngineModule::offer(EngineArray unit) {
    Side& side = of(unit);
    const Block& block = *offered(unit);
    see_message(unit, side);
    if (side.clocked > cycle() || !prepare(unit, block) || !side.model->can_take()) return;
    side.model->take(block_of(*side.message, block));
    side.inside.push_back(side.message);
    accept(unit);
}

void ArrayEngineModule::see_message(EngineArray unit, Side& side) const {
    const auto& contents = contents_of_offered(unit);
    if (side.message && side.message->contents == contents) return;
    side.message = std::make_shared<const Message>(Message{contents, tables_of(*contents)});
}

/// True if the array has the layout, width and tables of the block, or the block brings them.
bool ArrayEngineModule::prepare(EngineArray unit, const Block& block) {
    Side& side = of(unit);
    const Message& message = *side.message;
    const bool coded = block.mode != BlockMode::raw;
    if (coded && !message.contents->layout)
        throw std::runtime_error("the RTL has no lane for this codec; set engine.kind to pipelined");
    const std::uint32_t width = message.contents->context.width;
    const ArrayModel::Widths widths{width, coded ? message.tables.front().width : side.widths.tables};
    const Layout layout = message.contents->layout.value_or(side.layout);
    const bool brings = block.mode == BlockMode::coded_inline && unit == EngineArray::decoder;
    const bool loads = coded && !brings && side.tables != message.tables;
    const bool other_layout = side.model == nullptr || layout != side.layout;
    if (!other_layout && widths == side.widths && !loads) {
        if (brings) side.tables = message.tables;
        return true;
    }
    if (accepted(unit) > 0) return false;
    if (other_layout) use_layout(unit, layout);
    side.clocked = cycle() + side.model->load(widths, loads ? std::span(message.tables) : std::span<const Table>());
    side.widths = widths;
    if (coded) side.tables = message.tables;
    return side.clocked == cycle();
}

void ArrayEngineModule::use_layout(EngineArray unit, Layout layout) {
    Side& side = of(unit);
    auto& model = side.by_layout[static_cast<std::size_t>(layout)];
    if (!model) {
        model = make_(unit, layout);
        model->reset();
    }
    side.model = model.get();
    side.layout = layout;
    side.tables.clear();
}

ArrayBlock ArrayEngineModule::block_of(const Message& message, const Block& block) const {
    const MessageContents& contents = *message.contents;
    const auto bytes = std::span(contents.message->bytes).subspan(block.offset, block.bytes);
    const bool by_class = message.tables.size() > 1;   // a table that a message brings is that of all its symbols
    const auto classes = by_class ? std::span(contents.classes) : std::span<const std::uint8_t>();
    // fixed_point packs a message's symbols without headers; a raw block of another codec has 16 bytes more.
    const bool bare = block.mode == BlockMode::raw && block.bytes == packed_bytes(block.values, contents.context.width);
    const std::uint32_t sub_streams =   // no stream of a bare block has to be worth a length
        bare ? std::min(block.values, framing_.sub_streams()) : framing_.sub_streams_for(block.values);
    return {.header = bare ? make_header(contents.context, block.values) : read_header(bytes),
            .bare = bare,
            .width = contents.context.width,
            .sub_streams = sub_streams,
            .slots = (block.values + sub_streams - 1) / sub_streams,
            .symbols = std::span(contents.symbols).subspan(block.first_value, block.values),
            .classes = classes.empty() ? classes : classes.subspan(block.first_value, block.values),
            .bytes = bytes,
            .tables = block.mode == BlockMode::raw ? std::span<const Table>() : message.tables};
}

std::unique_ptr<Engine> make_array_engine_module(const std::string& name, const EngineParams& params) {
    if (params.kind == EngineKind::rtl) {
        const auto folder = rtl_folder(params.lanes, params.streams);
        return std::make_unique<ArrayEngineModule>(name.c_str(), params,
                                                   rtl_arrays(folder, params.lanes, params.streams));
    }
    const ArrayShape shape = shape_of(params);
    return std::make_unique<ArrayEngineModule>(name.c_str(), params,
                                               [shape](EngineArray unit, Layout) -> std::shared_ptr<ArrayModel> {
                                                   if (unit == EngineArray::encoder)
                                                       return std::make_shared<EncoderCycles>(shape);
                                                   return std::make_shared<DecoderCycles>(shape);
                                               });
}

}   // namespace oscar
