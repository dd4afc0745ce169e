// What of a report a terminal shows, and how.
#pragma once

#include <string>

#include "sim/terminal/text_table.hpp"

namespace oscar {

struct View {
    bool wide = false;           ///< all columns, however wide, and the speed-up over each method
    bool explain = false;        ///< also means over ranks, the closed form, costs, remedies and the legend
    bool legend = false;         ///< also the meaning of each column
    std::string baseline = {};   ///< the method that speed-ups compare with; empty: the first, with `wide` all
    Screen screen = {};

    /// The screen of tables: with `wide` a table may have any width, while text keeps to the terminal's.
    Screen of_tables() const { return {wide ? any_width : screen.width, screen.colours}; }
};

}   // namespace oscar
