#include "models/collective/schedule/phases.hpp"

namespace oscar {
namespace {

void send_part(ScheduleBuilder& builder, Rank from, Rank to, Parts parts, std::uint32_t part, Op op,
               std::uint32_t timestep) {
    for (std::uint32_t i = 0; i < parts.size; ++i) {
        const std::uint32_t in_part = parts.begin ? (*parts.begin + parts.size - i) % parts.size : i;
        builder.send(from, to, ChunkId{parts.first + part * parts.stride + in_part * parts.chunk_stride}, op, timestep);
    }
}

}   // namespace

void ring_round(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts, std::int64_t shift, Op op,
                std::uint32_t timestep) {
    const auto m = static_cast<std::int64_t>(members.size());
    for (std::size_t p = 0; p < members.size() && builder.takes(members[p]); ++p) {
        const auto part = static_cast<std::uint32_t>(((static_cast<std::int64_t>(p) + shift) % m + m) % m);
        send_part(builder, members[p], members[(p + 1) % members.size()], parts, part, op, timestep);
    }
}

void direct_reduce_scatter(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts,
                           std::uint32_t timestep) {
    const auto m = static_cast<std::uint32_t>(members.size());
    for (std::uint32_t away = 1; away < m; ++away)
        for (std::uint32_t p = 0; p < m; ++p) {
            const std::uint32_t q = (p + away) % m;
            send_part(builder, members[p], members[q], parts, q, Op::reduce, timestep);
        }
}

void direct_all_gather(ScheduleBuilder& builder, std::span<const Rank> members, Parts parts, std::uint32_t timestep) {
    const auto m = static_cast<std::uint32_t>(members.size());
    for (std::uint32_t away = 1; away < m; ++away)
        for (std::uint32_t p = 0; p < m; ++p)
            send_part(builder, members[p], members[(p + away) % m], parts, p, Op::copy, timestep);
}

std::vector<Rank> ranks_from(std::uint32_t first, std::uint32_t stride, std::uint32_t count) {
    std::vector<Rank> ranks;
    for (std::uint32_t i = 0; i < count; ++i) ranks.push_back(Rank{first + i * stride});
    return ranks;
}

std::uint32_t largest_divisor(std::uint32_t n, std::uint32_t most) {
    std::uint32_t divisor = most < n ? most : n;
    while (n % divisor != 0) --divisor;
    return divisor;
}

}   // namespace oscar
