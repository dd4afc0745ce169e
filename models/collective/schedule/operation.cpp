#include "models/collective/schedule/operation.hpp"

namespace oscar {

Postcondition postcondition(Operation operation, std::uint32_t ranks, Rank rank, ChunkId chunk, std::uint32_t group) {
    using enum Postcondition::Content;
    const std::uint32_t sharers = group == 0 ? ranks : group;
    switch (operation) {
        case Operation::all_reduce:
            return {sum};
        case Operation::reduce_scatter:
            return chunk.value % sharers == rank.value % sharers ? Postcondition{sum} : Postcondition{};
        case Operation::all_gather:
            return {copy, Rank{rank.value / sharers * sharers + chunk.value % sharers}};
        case Operation::broadcast:
            return {copy, Rank{0}};
        case Operation::reduce:
            return rank == Rank{0} ? Postcondition{sum} : Postcondition{};
        case Operation::gather:
            return rank == Rank{0} ? Postcondition{copy, Rank{chunk.value % ranks}} : Postcondition{};
        case Operation::scatter:
            return chunk.value % ranks == rank.value ? Postcondition{copy, Rank{0}} : Postcondition{};
        case Operation::all_to_all:
            return chunk.value % ranks == rank.value ? Postcondition{copy, Rank{chunk.value / ranks % ranks}}
                                                     : Postcondition{};
        case Operation::transfers:
            return {};
    }
    return {};
}

bool ends_alike(Operation operation) {
    return operation == Operation::all_reduce || operation == Operation::all_gather ||
           operation == Operation::broadcast;
}

bool sums_up(Operation operation) {
    return operation == Operation::all_reduce || operation == Operation::reduce_scatter ||
           operation == Operation::reduce;
}

double counted_share(Operation operation, std::uint32_t ranks) {
    return operation == Operation::all_to_all ? 1.0 / ranks : 1.0;
}

double bus_factor(Operation operation, std::uint32_t ranks, bool switches_add) {
    if (switches_add) return static_cast<double>(ranks - 1) / (ranks + 1);
    const double others = static_cast<double>(ranks - 1) / ranks;
    if (operation == Operation::all_reduce) return 2 * others;
    using enum Operation;
    return operation == broadcast || operation == reduce || operation == transfers ? 1 : others;
}

}   // namespace oscar
