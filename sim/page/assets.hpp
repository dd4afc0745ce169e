// The style and the scripts of a page, which the build takes from style.css, script.js and sweep.js.
#pragma once

#include <string_view>

namespace oscar {

extern const std::string_view page_style, page_script, sweep_script;

}   // namespace oscar
