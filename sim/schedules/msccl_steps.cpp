#include "sim/schedules/msccl_steps.hpp"

#include <fmt/format.h>

#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

using Kind = MscclStep::Kind;
using GpuId = std::uint32_t;

const std::map<std::string, Operation> operations{{"allreduce", Operation::all_reduce},
                                                  {"allgather", Operation::all_gather},
                                                  {"reduce_scatter", Operation::reduce_scatter},
                                                  {"alltoall", Operation::all_to_all}};

Operation operation_of(const MscclAlgorithm& algorithm) {
    const auto found = operations.find(algorithm.collective);
    if (found == operations.end())
        throw InputError(fmt::format("coll is '{}'; allreduce, allgather, reduce_scatter and alltoall can be run",
                                     algorithm.collective));
    return found->second;
}

/// Which chunk of the operation belongs to a place of input or output (models/collective/schedule/operation.hpp).
class ChunkNames {
public:
    ChunkNames(const MscclAlgorithm& algorithm, Operation operation)
        : operation_(operation),
          gpus_(static_cast<std::uint32_t>(algorithm.gpus.size())),
          chunks_(algorithm.chunks),
          each_(operation == Operation::all_reduce ? 0 : chunks_ / gpus_) {
        if (operation != Operation::all_reduce && (chunks_ % gpus_ != 0))
            throw InputError(fmt::format("nchunksperloop is '{}'; of {} GPUs with as many chunks each it is a multiple",
                                         chunks_, gpus_));
    }
    /// None if the buffer has no such place.
    std::optional<std::uint32_t> of(GpuId gpu, MscclPlace place) const {
        if (operation_ == Operation::all_reduce) return within(place.chunk, chunks_, place.chunk);
        const std::uint32_t peer = place.chunk / each_, part = place.chunk % each_;
        const bool input = place.buffer == 'i';
        if (operation_ == Operation::all_to_all)
            return within(place.chunk, chunks_,
                          part * gpus_ * gpus_ + (input ? gpu * gpus_ + peer : peer * gpus_ + gpu));
        // The side with a part of the whole: input of an all-gather, output of a reduce-scatter.
        if (input == (operation_ == Operation::all_gather))
            return within(place.chunk, each_, place.chunk * gpus_ + gpu);
        return within(place.chunk, chunks_, part * gpus_ + peer);
    }

private:
    static std::optional<std::uint32_t> within(std::uint32_t place, std::uint32_t places, std::uint32_t name) {
        return place < places ? std::optional(name) : std::nullopt;
    }
    Operation operation_;
    std::uint32_t gpus_, chunks_, each_;
};

/// A chunk as a GPU had it: how often its place had changed by then.
struct Held {
    GpuId gpu;
    std::uint32_t chunk, version;
};

class Execution {
public:
    explicit Execution(const MscclAlgorithm& algorithm)
        : algorithm_(algorithm), operation_(operation_of(algorithm)), names_(algorithm, operation_) {
        for (const auto& blocks : algorithm.gpus) next_.emplace_back(blocks.size(), 0);
    }

    MscclSchedule run() {
        for (bool moved = true; moved;) {
            moved = false;
            for (GpuId g = 0; g < algorithm_.gpus.size(); ++g)
                for (std::uint32_t b = 0; b < algorithm_.gpus[g].size(); ++b)
                    while (may_run(g, b)) {
                        perform(g, b);
                        moved = true;
                    }
        }
        for (GpuId g = 0; g < algorithm_.gpus.size(); ++g)
            for (std::uint32_t b = 0; b < algorithm_.gpus[g].size(); ++b)
                if (next_[g][b] < algorithm_.gpus[g][b].steps.size()) fail_at(g, b, reason_to_wait(g, b));
        return {operation_, std::move(steps_)};
    }

private:
    using Connection = std::tuple<GpuId, GpuId, std::uint32_t>;   // from, to, channel

    [[noreturn]] void fail_at(GpuId gpu, std::uint32_t block, const std::string& what) const {
        throw InputError(fmt::format("gpu {}, tb {}, step {}: {}", gpu, block, next_[gpu][block], what));
    }
    const MscclBlock& block_of(GpuId gpu, std::uint32_t block) const { return algorithm_.gpus[gpu][block]; }
    Connection inbound(GpuId gpu, const MscclBlock& block) const {
        return {static_cast<GpuId>(block.receive), gpu, block.channel};
    }
    static bool receives(Kind kind) { return kind >= Kind::receive && kind <= Kind::receive_reduce_copy_send; }

    bool waits_for_block(GpuId gpu, const MscclStep& step) const {
        if (step.waits_block < 0) return false;
        const auto block = static_cast<std::size_t>(step.waits_block);
        return block >= next_[gpu].size() || static_cast<std::int64_t>(next_[gpu][block]) <= step.waits_step;
    }
    bool may_run(GpuId gpu, std::uint32_t block) const {
        const MscclBlock& own = block_of(gpu, block);
        if (next_[gpu][block] == own.steps.size()) return false;
        const MscclStep& step = own.steps[next_[gpu][block]];
        if (waits_for_block(gpu, step)) return false;
        const auto queue = messages_.find(inbound(gpu, own));
        return !receives(step.kind) || (queue != messages_.end() && !queue->second.empty());
    }
    std::string reason_to_wait(GpuId gpu, std::uint32_t block) const {
        const MscclBlock& own = block_of(gpu, block);
        const MscclStep& step = own.steps[next_[gpu][block]];
        if (waits_for_block(gpu, step))
            return fmt::format("waits for step {} of tb {}, which is never done; correct depid or deps",
                               step.waits_step, step.waits_block);
        return fmt::format("waits for a message of gpu {} on channel {} that nobody sends", own.receive, own.channel);
    }

    void perform(GpuId gpu, std::uint32_t block) {
        const MscclBlock& own = block_of(gpu, block);
        const MscclStep& step = own.steps[next_[gpu][block]];
        std::vector<Held> message;
        if (receives(step.kind)) {
            auto& queue = messages_[inbound(gpu, own)];
            message = std::move(queue.front());
            queue.pop_front();
            if (message.size() != step.count)
                fail_at(gpu, block,
                        fmt::format("receives {} chunks where {} were sent; correct cnt", step.count, message.size()));
        }
        std::vector<Held> sent;
        for (std::uint32_t k = 0; k < step.count; ++k) {
            const MscclPlace from{step.from.buffer, step.from.chunk + k}, to{step.to.buffer, step.to.chunk + k};
            perform_on_chunk(gpu, block, step.kind, from, to, message.empty() ? nullptr : &message[k], sent);
        }
        if (!sent.empty()) {
            const auto peer = static_cast<GpuId>(own.send);
            if (peer >= algorithm_.gpus.size() || peer == gpu)
                fail_at(gpu, block, fmt::format("sends to gpu {}, which is no other GPU", own.send));
            messages_[{gpu, peer, own.channel}].push_back(std::move(sent));
        }
        ++next_[gpu][block];
    }

    void perform_on_chunk(GpuId gpu, std::uint32_t block, Kind kind, MscclPlace from, MscclPlace to,
                          const Held* message, std::vector<Held>& sent) {
        switch (kind) {
            case Kind::send:
                sent.push_back(own_chunk(gpu, block, from));
                break;
            case Kind::receive:
            case Kind::receive_copy_send:
                take_in(gpu, block, to, *message);
                if (kind == Kind::receive_copy_send) sent.push_back(own_chunk(gpu, block, to));
                break;
            case Kind::receive_reduce_send:
            case Kind::receive_reduce_copy:
            case Kind::receive_reduce_copy_send: {
                if (from.buffer == 's') fail_at(gpu, block, "adds to scratch; only sums in input or output can be run");
                bring(gpu, block, name_of(gpu, block, from), *message, Op::reduce);
                if (kind != Kind::receive_reduce_copy) sent.push_back(own_chunk(gpu, block, from));
                break;
            }
            case Kind::copy:
                copy(gpu, block, from, to);
                break;
            case Kind::reduce: {
                const auto waiting = from.buffer == 's' ? scratch_.find({gpu, from.chunk}) : scratch_.end();
                if (to.buffer == 's' || waiting == scratch_.end() || waiting->second.gpu == gpu)
                    fail_at(gpu, block, "adds something else than what was received into scratch to input or output");
                bring(gpu, block, name_of(gpu, block, to), waiting->second, Op::reduce);
                break;
            }
            case Kind::nothing:
                break;
        }
    }

    std::uint32_t name_of(GpuId gpu, std::uint32_t block, MscclPlace place) const {
        const auto name = names_.of(gpu, place);
        if (!name)
            fail_at(gpu, block, fmt::format("buffer {} has no chunk {}; it ends before", place.buffer, place.chunk));
        return *name;
    }
    /// The content of a place as it is now.
    Held own_chunk(GpuId gpu, std::uint32_t block, MscclPlace place) const {
        if (place.buffer != 's') {
            const std::uint32_t chunk = name_of(gpu, block, place);
            const auto version = versions_.find({gpu, chunk});
            return {gpu, chunk, version == versions_.end() ? 0 : version->second};
        }
        const auto found = scratch_.find({gpu, place.chunk});
        if (found == scratch_.end())
            fail_at(gpu, block, fmt::format("sends chunk {} of scratch, which has nothing in it", place.chunk));
        if (found->second.gpu != gpu)
            fail_at(gpu, block, "sends on what it has received into scratch; a sum has one place at a GPU");
        return found->second;
    }
    /// A message that is received. Where nothing is added, a rank has no content of its own that it could spoil.
    void take_in(GpuId gpu, std::uint32_t block, MscclPlace to, const Held& message) {
        if (to.buffer != 's') {
            if (const std::uint32_t name = name_of(gpu, block, to); name != message.chunk)
                fail_at(gpu, block,
                        fmt::format("puts chunk {} of the result into the place of chunk {}", message.chunk, name));
            return bring(gpu, block, message.chunk, message, Op::copy);
        }
        if (sums_up(operation_)) {
            scratch_[{gpu, to.chunk}] = message;
            return;
        }
        bring(gpu, block, message.chunk, message, Op::copy);
        scratch_[{gpu, to.chunk}] = {gpu, message.chunk, versions_[{gpu, message.chunk}]};
    }
    void copy(GpuId gpu, std::uint32_t block, MscclPlace from, MscclPlace to) {
        if (to.buffer == 's') {
            scratch_[{gpu, to.chunk}] = own_chunk(gpu, block, from);
            return;
        }
        const std::uint32_t name = name_of(gpu, block, to);
        const auto waiting = from.buffer == 's' ? scratch_.find({gpu, from.chunk}) : scratch_.end();
        const Held held = waiting != scratch_.end() ? waiting->second : own_chunk(gpu, block, from);
        if (held.chunk != name)
            fail_at(gpu, block,
                    fmt::format("puts chunk {} of the result into the place of chunk {}", held.chunk, name));
        if (held.gpu != gpu) bring(gpu, block, name, held, Op::copy);
    }
    /// Lists the message by which `held` comes to the GPU.
    void bring(GpuId gpu, std::uint32_t block, std::uint32_t chunk, const Held& held, Op op) {
        if (held.chunk != chunk)
            fail_at(gpu, block, fmt::format("adds chunk {} of the result to chunk {}", held.chunk, chunk));
        if (versions_[{held.gpu, held.chunk}] != held.version)
            fail_at(
                gpu, block,
                fmt::format("uses chunk {} of gpu {} after that has changed it; only what is used before can be run",
                            chunk, held.gpu));
        steps_.push_back({held.gpu, gpu, chunk, op});
        ++versions_[{gpu, chunk}];
    }

    const MscclAlgorithm& algorithm_;
    Operation operation_;
    ChunkNames names_;
    std::vector<std::vector<std::size_t>> next_;   // [gpu][block]: the next step
    std::map<Connection, std::deque<std::vector<Held>>> messages_;
    std::map<std::pair<GpuId, std::uint32_t>, Held> scratch_;             // what is in a chunk of scratch
    std::map<std::pair<GpuId, std::uint32_t>, std::uint32_t> versions_;   // how often a chunk of the result changed
    std::vector<ListedStep> steps_;
};

}   // namespace

MscclSchedule schedule_of(const MscclAlgorithm& algorithm) { return Execution(algorithm).run(); }

}   // namespace oscar
