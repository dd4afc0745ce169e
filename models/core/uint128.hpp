// 128-bit integers for products that exceed 64 bits.
#pragma once

namespace oscar {

__extension__ using UInt128 = unsigned __int128;   // an extension of g++ and clang

}   // namespace oscar
