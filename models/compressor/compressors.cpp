#include "models/compressor/compressors.hpp"

#include <stdexcept>

namespace oscar {

std::unique_ptr<Compressor> make_compressor(const LossyKind& kind, std::uint32_t ranks, std::uint64_t seed) {
    if (ranks == 0) throw std::invalid_argument("a compressor needs at least one rank");
    const auto make = [&](const auto& params) -> std::unique_ptr<Compressor> {
        return make_compressor(params, ranks, seed);
    };
    return std::visit(make, kind.params);
}

}   // namespace oscar
