// Headings of the parts of a critical path on a terminal.
#pragma once

#include <array>

namespace oscar {

/// The headings in the order of the fields of CriticalPath. `link` is the name of its bottleneck; means over ranks have
/// other headings, for they measure other things.
inline constexpr std::array critical_path_heads{"link us", "engine us", "dma us", "latency us", "wait us"};

}   // namespace oscar
