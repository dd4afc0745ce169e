#include "models/codec/codec.hpp"

namespace oscar {

void Codec::learn(std::span<const Symbol>, std::uint32_t, Counts&) const {}

Table Codec::make_table(const Counts&, std::uint32_t) const {
    throw std::logic_error("codec: asked for a table by a codec that has none");
}

}   // namespace oscar
