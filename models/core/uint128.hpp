// Integers of 128 bits, for products that leave 64.
#pragma once

namespace oscar {

__extension__ using UInt128 = unsigned __int128;   // an extension of g++ and clang

}   // namespace oscar
