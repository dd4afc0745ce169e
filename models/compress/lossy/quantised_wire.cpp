#include "models/compress/lossy/quantised_wire.hpp"

#include <utility>

namespace oscar {

Exchange uniform_exchange(std::string what, Carrier carrier, std::uint64_t bytes, std::uint64_t floats,
                          std::uint32_t ranks, std::vector<std::uint32_t> after) {
    Exchange result;
    result.what = std::move(what);
    result.carrier = carrier;
    result.payload.assign(ranks, bytes);
    result.padded = bytes;
    result.floats = floats;
    result.after = std::move(after);
    return result;
}

}   // namespace oscar
