// Texts that the build puts into the program: the style and the scripts of a page, from style.css, charts.js, script.js
// and sweep.js, and the names of the parts of Vega, from CMakeLists.txt.
#pragma once

#include <string_view>

namespace oscar {

extern const std::string_view page_style, charts_script, page_script, sweep_script;

/// Names of the parts, such as vega-util, separated by blanks; each stands behind those that it needs.
extern const std::string_view vega_parts;

}   // namespace oscar
