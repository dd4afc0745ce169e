#include "sim/schedules/msccl_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

using Kind = MscclStep::Kind;

[[noreturn]] void fail_at(MscclStepId id, const std::string& what) {
    throw InputError(fmt::format("{}: {}", to_text(id), what));
}

/// Which steps have been performed, and the messages that are under way.
class Rounds {
public:
    explicit Rounds(const MscclAlgorithm& algorithm) : algorithm_(algorithm) {
        for (const auto& blocks : algorithm.gpus) done_.emplace_back(blocks.size());
    }
    std::vector<OrderedStep> run() && {
        while (round()) {
        }
        for_each_block([&](MscclStepId id) {
            if (id.step < block_of(id).steps.size()) fail_at(id, reason_to_wait(id));
        });
        for (const auto& [connection, waiting] : messages_)
            if (!waiting.empty())
                fail_at(order_[waiting.front()].id,
                        fmt::format("gpu {} never receives this message; give it a step that does, on channel {}",
                                    std::get<1>(connection), std::get<2>(connection)));
        return std::move(order_);
    }

private:
    using Connection = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;   // from, to, channel

    const MscclBlock& block_of(MscclStepId id) const { return algorithm_.gpus[id.gpu][id.block]; }
    const MscclStep& step_of(MscclStepId id) const { return block_of(id).steps[id.step]; }
    /// Calls f(its next step) for each threadblock.
    template <class F>
    void for_each_block(F&& f) const {
        for (std::uint32_t g = 0; g < algorithm_.gpus.size(); ++g)
            for (std::uint32_t b = 0; b < algorithm_.gpus[g].size(); ++b)
                f(MscclStepId{g, b, static_cast<std::uint32_t>(done_[g][b].size())});
    }
    /// False if no threadblock could go on.
    bool round() {
        std::vector<MscclStepId> free;
        for_each_block([&](MscclStepId id) {
            if (may_run(id)) free.push_back(id);
        });
        for (const MscclStepId id : free) perform(id);
        return !free.empty();
    }
    bool waits_for_block(MscclStepId id) const {
        const MscclStep& step = step_of(id);
        if (step.waits_block < 0) return false;
        const auto block = static_cast<std::size_t>(step.waits_block);
        const auto& done = done_[id.gpu];
        return block >= done.size() || step.waits_step < 0 ||
               done[block].size() <= static_cast<std::size_t>(step.waits_step);
    }
    bool may_run(MscclStepId id) const {
        if (id.step == block_of(id).steps.size() || waits_for_block(id)) return false;
        if (!receives(step_of(id))) return true;
        const auto queue = messages_.find(inbound(id));
        return queue != messages_.end() && !queue->second.empty();
    }
    Connection inbound(MscclStepId id) const {
        return {static_cast<std::uint32_t>(block_of(id).receive), id.gpu, block_of(id).channel};
    }
    void perform(MscclStepId id) {
        OrderedStep& ordered = order_.emplace_back(OrderedStep{id});
        if (receives(step_of(id))) {
            auto& queue = messages_[inbound(id)];
            if (queue.empty())   // two threadblocks of one connection: the other has taken it in this round
                return order_.pop_back();
            ordered.sender = queue.front();
            queue.pop_front();
            if (const std::uint32_t sent = step_of(order_[ordered.sender].id).count; sent != step_of(id).count)
                fail_at(id, fmt::format("receives {} chunks where {} were sent; correct cnt", step_of(id).count, sent));
        }
        if (sends(step_of(id))) {
            const std::int32_t peer = block_of(id).send;
            if (static_cast<std::size_t>(peer) >= algorithm_.gpus.size() || static_cast<std::uint32_t>(peer) == id.gpu)
                fail_at(id, fmt::format("sends to gpu {}, which is no other GPU", peer));
            messages_[{id.gpu, static_cast<std::uint32_t>(peer), block_of(id).channel}].push_back(order_.size() - 1);
        }
        if (step_of(id).waits_block >= 0)
            ordered.waited = done_[id.gpu][static_cast<std::size_t>(step_of(id).waits_block)]
                                  [static_cast<std::size_t>(step_of(id).waits_step)];
        done_[id.gpu][id.block].push_back(order_.size() - 1);
    }
    std::string reason_to_wait(MscclStepId id) const {
        if (waits_for_block(id))
            return fmt::format("waits for step {} of tb {}, which is never done; correct depid or deps",
                               step_of(id).waits_step, step_of(id).waits_block);
        return fmt::format("waits for a message of gpu {} on channel {} that nobody sends", block_of(id).receive,
                           block_of(id).channel);
    }

    const MscclAlgorithm& algorithm_;
    std::vector<std::vector<std::vector<std::size_t>>> done_;   // [gpu][block]: places of its steps in the order
    std::map<Connection, std::deque<std::size_t>> messages_;    // under way: places of their sends in the order
    std::vector<OrderedStep> order_;
};

/// How many steps of each threadblock of one GPU have certainly been done.
using Clock = std::vector<std::uint32_t>;

void raise(Clock& clock, const Clock& other) {
    for (std::size_t b = 0; b < clock.size() && b < other.size(); ++b) clock[b] = std::max(clock[b], other[b]);
}

/// What the threadblocks of one GPU do to its places, in an order; each knows what has certainly been done before.
class Races {
public:
    Races(const MscclAlgorithm& algorithm, const std::vector<OrderedStep>& order, std::uint32_t gpu)
        : algorithm_(algorithm), order_(order), gpu_(gpu) {
        for (const auto& blocks : algorithm.gpus)
            clocks_.emplace_back(blocks.size(), Clock(algorithm.gpus[gpu].size()));
        for (const OrderedStep& ordered : order)
            for (const std::size_t before : {ordered.sender, ordered.waited})
                if (before != no_step) after_[before];
    }
    void check() {
        for (std::size_t i = 0; i < order_.size(); ++i) perform(i);
    }

private:
    /// Per threadblock, its last step that did it to a place.
    struct Uses {
        std::map<std::uint32_t, std::uint32_t> reads, writes;
    };

    void perform(std::size_t i) {
        const MscclStepId id = order_[i].id;
        Clock& clock = clocks_[id.gpu][id.block];
        for (const std::size_t before : {order_[i].sender, order_[i].waited})
            if (before != no_step) raise(clock, after_.at(before));
        if (id.gpu == gpu_) {
            const MscclStep& step = algorithm_.gpus[id.gpu][id.block].steps[id.step];
            for (std::uint32_t k = 0; k < step.count; ++k) use(id, step, k, clock);
            clock[id.block] = id.step + 1;
        }
        if (const auto followed = after_.find(i); followed != after_.end()) followed->second = clock;
    }
    void use(MscclStepId id, const MscclStep& step, std::uint32_t k, const Clock& clock) {
        const auto reads = [&](MscclPlace place) { note(id, place, k, false, clock); };
        const auto writes = [&](MscclPlace place) { note(id, place, k, true, clock); };
        const bool adds_message = step.kind == Kind::receive_reduce_send || step.kind == Kind::receive_reduce_copy ||
                                  step.kind == Kind::receive_reduce_copy_send;
        if (adds_message || step.kind == Kind::send || step.kind == Kind::copy || step.kind == Kind::reduce)
            reads(step.from);
        if (step.kind == Kind::reduce) reads(step.to);
        if (step.kind != Kind::send && step.kind != Kind::receive_reduce_send && step.kind != Kind::nothing)
            writes(step.to);
    }
    void note(MscclStepId id, MscclPlace place, std::uint32_t k, bool writes, const Clock& clock) {
        if (place.buffer == 'o' && algorithm_.in_place && algorithm_.collective == "allreduce") place.buffer = 'i';
        place.chunk += k;
        Uses& uses = uses_[place];
        check_against(id, place, uses.writes, "writes", writes, clock);
        if (writes) check_against(id, place, uses.reads, "reads", true, clock);
        (writes ? uses.writes : uses.reads)[id.block] = id.step;
    }
    void check_against(MscclStepId id, MscclPlace place, const std::map<std::uint32_t, std::uint32_t>& others,
                       const char* does, bool writes, const Clock& clock) const {
        for (const auto& [block, step] : others)
            if (block != id.block && clock[block] <= step)
                fail_at(id, fmt::format("{} chunk {} of {}, which tb {}, step {} {}; nothing says which comes first: "
                                        "write depid=\"{}\" deps=\"{}\" at the later one, or a nop before it",
                                        writes ? "writes" : "reads", place.chunk, name_of(place.buffer), block, step,
                                        does, block, step));
    }
    static const char* name_of(char buffer) { return buffer == 's' ? "scratch" : buffer == 'i' ? "input" : "output"; }

    const MscclAlgorithm& algorithm_;
    const std::vector<OrderedStep>& order_;
    std::uint32_t gpu_;
    std::vector<std::vector<Clock>> clocks_;         // [gpu][block]
    std::unordered_map<std::size_t, Clock> after_;   // of the steps that others follow, by their place in the order
    std::map<MscclPlace, Uses> uses_;
};

}   // namespace

bool receives(const MscclStep& step) {
    using K = MscclStep::Kind;
    return step.count > 0 && step.kind >= K::receive && step.kind <= K::receive_reduce_copy_send;
}

bool sends(const MscclStep& step) {
    using K = MscclStep::Kind;
    return step.count > 0 && (step.kind == K::send || step.kind == K::receive_copy_send ||
                              step.kind == K::receive_reduce_send || step.kind == K::receive_reduce_copy_send);
}

std::string to_text(MscclStepId id) { return fmt::format("gpu {}, tb {}, step {}", id.gpu, id.block, id.step); }

std::vector<OrderedStep> order_of(const MscclAlgorithm& algorithm) { return Rounds(algorithm).run(); }

void check_races(const MscclAlgorithm& algorithm, const std::vector<OrderedStep>& order) {
    for (std::uint32_t g = 0; g < algorithm.gpus.size(); ++g)
        if (algorithm.gpus[g].size() > 1) Races(algorithm, order, g).check();
}

}   // namespace oscar
