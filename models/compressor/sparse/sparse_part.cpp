#include "models/compressor/sparse/sparse_part.hpp"

#include <stdexcept>
#include <string>

namespace oscar {

std::vector<std::vector<float>> SparsePart::sparsified(std::span<const std::span<const float>> gradients, double zeros,
                                                       Sparsify how, ComputeCost& work) {
    const std::size_t size = gradients[0].size(), before = residual(0).size();
    if (before != 0 && before != size)
        throw std::invalid_argument("a part of the gradient has " + std::to_string(size) + " elements and had " +
                                    std::to_string(before) +
                                    " in the last step; tensors must stay as they are until a reset");
    corrected_.clear();   // of a step that failed after this
    std::vector<std::vector<float>> sparse;
    for (std::size_t rank = 0; rank < gradients.size(); ++rank) {
        auto& kept = sparse.emplace_back(corrected_.emplace_back(memories_[rank].corrected(gradients[rank])));
        sparsify(kept, sparsify_threshold(kept, zeros, how));
    }
    work.elements += 2 * size;
    work.additions += 2 * size;
    work.comparisons += size;
    return sparse;
}

void SparsePart::keep(std::span<const std::span<const float>> sent) {
    for (std::size_t rank = 0; rank < sent.size(); ++rank) memories_[rank].keep(corrected_[rank], sent[rank]);
    corrected_.clear();
}

}   // namespace oscar
