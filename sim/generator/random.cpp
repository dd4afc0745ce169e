#include "sim/generator/random.hpp"

#include <algorithm>

#include "sim/generator/arithmetic.hpp"

namespace oscar {

NormalTable::NormalTable() {
    const auto magnitude = [](std::uint32_t piece) {   // at the lower end of a piece
        const auto tail = static_cast<double>(std::bit_cast<float>(lowest + (piece << shift)));
        return -normal_quantile(std::min(tail * 0x1p-32, 0.5));
    };
    for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
        const double start = magnitude(i), end = magnitude(i + 1);
        pieces_[i] = {static_cast<float>(start), static_cast<float>((end - start) / (1U << shift))};
    }
}

const NormalTable& normal_table() {
    static const NormalTable table;
    return table;
}

}   // namespace oscar
