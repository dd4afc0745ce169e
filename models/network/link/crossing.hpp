// Times at which a packet's flits pass from one link to the next.
#pragma once

#include <algorithm>

#include "models/network/link/exact_time.hpp"
#include "models/network/link/packet.hpp"

namespace oscar {

/// The times at which flits of a packet may leave the node that they have come to: the first (a whole picosecond), the
/// last but one, the last. Law: flit by flit, each one leaves at max(the one before has left, it is ready) + its
/// serialization, and these three suffice: up to the last but one flits are of one size, so the time at which number j
/// leaves a link is a convex function of j if the time at which it was ready is (the maximum of convex functions: not
/// before its turn at this link's rate, nor before it is there); what holds up the last is then held up most by the
/// first or by the last but one. The last alone may be shorter, and does not suffice: from a slow link to a fast one it
/// follows the flit before sooner than that one leaves.
struct FlitsReady {
    Time first;
    ExactTime last_but_one, last;
};

struct Crossing {
    Time end;   ///< the last bit has left
    FlitsReady next;
};

/// A packet of `wire` bytes that begins on a link at `begin` >= ready.first. `byte` is ExactTime::of_byte of the link's
/// rate, `on_the_way` its propagation and what lies beyond it.
inline Crossing cross(Time on_the_way, ExactTime byte, Bytes flit, Bytes wire, Time begin, const FlitsReady& ready) {
    const Bytes last = last_flit(wire, flit), before = wire - last;
    const ExactTime start{begin};
    const ExactTime last_but_one = std::max(start + before * byte, ready.last_but_one + std::min(flit, before) * byte);
    const ExactTime all = std::max(last_but_one, ready.last) + last * byte;
    return {all.rounded_up(),
            {begin + (first_flit(wire, flit) * byte).rounded_up() + on_the_way, last_but_one + on_the_way,
             all + on_the_way}};
}

}   // namespace oscar
