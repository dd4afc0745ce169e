#include "models/engine/clocked_engine.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace oscar {

void ClockedEngine::begin() { units_ = {}; }

void ClockedEngine::submit(EngineArray unit, Work work, Answer answer) {
    const Time ready = work.ready.at;
    of(unit).offered.push_back({std::move(work), std::move(answer)});
    will_offer(std::max(ready, now()));
}

std::size_t ClockedEngine::unanswered() const {
    std::size_t sum = 0;
    for (const Unit& unit : units_) sum += unit.offered.size() + unit.accepted.size();
    return sum;
}

const Block* ClockedEngine::offered(EngineArray unit) const {
    const auto& waiting = of(unit).offered;
    return waiting.empty() || waiting.front().work.ready.at > now() ? nullptr : &waiting.front().work.block;
}

void ClockedEngine::accept(EngineArray unit) {
    Unit& own = of(unit);
    own.accepted.push_back({std::move(own.offered.front()), now()});
    own.offered.pop_front();
    if (!own.offered.empty()) will_offer(std::max(own.offered.front().work.ready.at, now()));
}

/// A block waits for its data or for the block before it, whichever is there later; the rest is the engine's.
void ClockedEngine::release(EngineArray unit) {
    Unit& own = of(unit);
    Taken& taken = *std::ranges::find_if(own.accepted, [](const Taken& block) { return !block.released; });
    append(own.busy, {taken.since, now()});
    own.free = later(taken.waiting.work.ready, own.free).until(now(), &CriticalPath::engine_ps);
    taken.released = own.free;
}

void ClockedEngine::finish(EngineArray unit) {
    Unit& own = of(unit);
    if (!own.accepted.front().released) release(unit);
    const Taken taken = std::move(own.accepted.front());
    own.accepted.pop_front();
    const TimedEvent done = taken.released->until(now(), &CriticalPath::latency_ps);
    if (unanswered() == 0) all_answered();
    taken.waiting.answer(done);
}

std::optional<Time> ClockedEngine::next_offer() const {
    std::optional<Time> next;
    for (const Unit& unit : units_) {
        if (unit.offered.empty()) continue;
        const Time at = std::max(unit.offered.front().work.ready.at, now());
        next = std::min(next.value_or(at), at);
    }
    return next;
}

ClockedEngine::Request ClockedEngine::oldest() const {
    Request oldest{EngineArray::encoder, Time{std::numeric_limits<std::int64_t>::max()}, 0};
    for (const EngineArray unit : {EngineArray::encoder, EngineArray::decoder}) {
        const Unit& own = of(unit);
        if (own.accepted.empty() && own.offered.empty()) continue;
        const Waiting& first = own.accepted.empty() ? own.offered.front() : own.accepted.front().waiting;
        if (first.work.ready.at < oldest.ready) oldest = {unit, first.work.ready.at, first.work.block.values};
    }
    return oldest;
}

}   // namespace oscar
