#include "models/collective/endpoint/shared_decoding.hpp"

#include <algorithm>
#include <tuple>

namespace oscar {
namespace {

auto fields_of(const Context& context) {
    return std::tuple(context.width, context.epoch, context.timestep, context.chunk);
}

std::vector<Table> copies_of(const Tables& tables) {
    std::vector<Table> copies;
    for (std::size_t c = 0; !tables.none() && c < tables.count(); ++c) copies.push_back(*tables.of_class(c));
    return copies;
}

}   // namespace

SharedDecoding::Made SharedDecoding::made_with(const DecoderState& state, const Decode& decode) {
    const auto classes = state.tables.classes();
    return {state.context,
            copies_of(state.tables),
            {classes.begin(), classes.end()},
            state.bytes,
            std::make_shared<const Decoded>(decode())};
}

bool SharedDecoding::equal(const Made& made, const DecoderState& state) {
    return fields_of(made.context) == fields_of(state.context) && made.bytes == state.bytes &&
           made.decoded->symbols.size() == state.symbols && made.tables == copies_of(state.tables) &&
           std::ranges::equal(made.classes, state.tables.classes());
}

std::shared_ptr<const Decoded> SharedDecoding::get(const DecoderState& state, const Decode& decode) {
    const std::scoped_lock lock(mutex_);
    if (!made_) made_ = made_with(state, decode);
    if (equal(*made_, state)) return made_->decoded;
    return std::make_shared<const Decoded>(decode());
}

}   // namespace oscar
