// The style and the script of a page, which the build takes from style.css and script.js.
#pragma once

#include <string_view>

namespace oscar {

extern const std::string_view page_style, page_script;

}   // namespace oscar
