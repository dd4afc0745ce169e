#include "models/compress/lossy/compressor.hpp"

namespace oscar {

Operations& Operations::operator+=(const Operations& other) {
    elements += other.elements;
    comparisons += other.comparisons;
    hashes += other.hashes;
    additions += other.additions;
    multiplications += other.multiplications;
    draws += other.draws;
    rounds += other.rounds;
    return *this;
}

}   // namespace oscar
