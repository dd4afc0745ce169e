// The contents of a message, for an engine that codes its blocks and does not only tell the time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// What both ends know of a message, its bytes and its symbols.
struct MessageContents {
    std::shared_ptr<const Encoded> message;
    Context context{};
    std::optional<Layout> layout;        ///< Codec::fixed_table_layout()
    std::vector<Table> tables;           ///< by class; none: its first coded block brings one, or it needs none
    std::vector<std::uint8_t> classes;   ///< of the symbols; empty: all are of class 0
    std::vector<Symbol> symbols;
};

}   // namespace oscar
