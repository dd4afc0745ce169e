// What of a report a terminal shows, and how.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/core/fields.hpp"
#include "sim/terminal/text_table.hpp"

namespace oscar {

/// What is printed of a run.
enum class Format : std::uint8_t { tables, nccl };
constexpr auto choices(Format) {
    return std::array{Choice{"tables", Format::tables, "tables, and a sentence for each method"},
                      Choice{"nccl", Format::nccl, "the table of nccl-tests, a row for each method"}};
}

struct View {
    Format format = Format::tables;
    bool wide = false;           ///< all columns, however wide, and the speed-up over each method
    bool explain = false;        ///< also means over ranks, the closed form, costs, remedies and the legend
    bool legend = false;         ///< also the meaning of each column
    std::string baseline = {};   ///< the method that speed-ups compare with; empty: the first, with `wide` all
    Screen screen = {};

    /// The screen of tables: with `wide` a table may have any width, while text keeps to the terminal's.
    Screen of_tables() const { return {wide ? any_width : screen.width, screen.colours}; }
};

}   // namespace oscar
