#include "sim/schedules/msccl_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/schedules/msccl_order.hpp"

namespace oscar {
namespace {

using Kind = MscclStep::Kind;
using GpuId = std::uint32_t;

constexpr std::uint64_t most_chunks = 1 << 24;

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
    /// The chunks of the operation.
    std::uint32_t count() const {
        const bool of_each = operation_ == Operation::all_gather || operation_ == Operation::reduce_scatter;
        return operation_ == Operation::all_to_all ? chunks_ * gpus_ : of_each ? each_ * gpus_ : chunks_;
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

/// What stands in a place: the sum of a chunk over its own rank, if `sum.own`, and over messages that came.
struct Content {
    std::uint32_t chunk = 0;
    ListedSum sum;
};

/// The places of the GPUs while the steps of an algorithm are performed, and the messages that these send.
class Execution {
public:
    explicit Execution(const MscclAlgorithm& algorithm)
        : algorithm_(algorithm), operation_(operation_of(algorithm)), names_(algorithm, operation_) {}

    MscclSchedule run() && {
        sums_.chunks = names_.count();
        if (const std::uint64_t all = std::uint64_t{sums_.chunks} * algorithm_.gpus.size(); all > most_chunks)
            throw InputError(
                fmt::format("nchunksperloop is '{}'; that is {} chunks at all GPUs, of which {} can be run",
                            algorithm_.chunks, all, most_chunks));
        const std::vector<OrderedStep> order = order_of(algorithm_);
        check_races(algorithm_, order);
        for (std::size_t i = 0; i < order.size(); ++i) perform(i, order[i]);
        for (GpuId g = 0; g < algorithm_.gpus.size(); ++g)
            for (std::uint32_t c = 0; c < sums_.chunks; ++c) sums_.results.push_back(result_of(g, c));
        find_operations();
        return {operation_, std::move(steps_), std::move(sums_)};
    }

private:
    /// A place of a GPU: i and o by the chunk that belongs there, which has one place where they are one buffer.
    using Key = std::tuple<GpuId, char, std::uint32_t>;

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("{}: {}", to_text(now_), what));
    }
    const MscclBlock& block() const { return algorithm_.gpus[now_.gpu][now_.block]; }

    void perform(std::size_t place, const OrderedStep& ordered) {
        now_ = ordered.id;
        const MscclStep& step = block().steps[now_.step];
        const std::uint32_t* message = receives(step) ? messages_.at(ordered.sender).data() : nullptr;
        for (std::uint32_t k = 0; k < step.count; ++k) {
            const MscclPlace from{step.from.buffer, step.from.chunk + k}, to{step.to.buffer, step.to.chunk + k};
            const std::optional<Content> sent = perform_on_chunk(step.kind, from, to, message ? message[k] : 0);
            if (sent && sends(step)) messages_[place].push_back(send(*sent));
        }
    }
    /// What it leaves: in `to`, or on the wire alone.
    std::optional<Content> perform_on_chunk(Kind kind, MscclPlace from, MscclPlace to, std::uint32_t message) {
        switch (kind) {
            case Kind::send:
                return content_of(from);
            case Kind::receive:
            case Kind::receive_copy_send:
                return put(to, received(message));
            case Kind::receive_reduce_send:
                return sum_of(content_of(from), received(message));
            case Kind::receive_reduce_copy:
            case Kind::receive_reduce_copy_send:
                return put(to, sum_of(content_of(from), received(message)));
            case Kind::copy:
                return put(to, content_of(from));
            case Kind::reduce:
                return put(to, sum_of(content_of(to), content_of(from)));
            case Kind::nothing:
                break;
        }
        return std::nullopt;
    }

    Key key_of(MscclPlace place) const {
        if (place.buffer == 's') return {now_.gpu, 's', place.chunk};
        const auto name = names_.of(now_.gpu, place);
        if (!name) fail(fmt::format("buffer {} has no chunk {}; it ends before", place.buffer, place.chunk));
        return {now_.gpu, algorithm_.in_place ? 'i' : place.buffer, *name};
    }
    /// Where nothing has been written, input and output are what the rank began with.
    Content content_of(MscclPlace place) const {
        const Key key = key_of(place);
        if (const auto found = contents_.find(key); found != contents_.end()) return found->second;
        if (place.buffer == 's') fail(fmt::format("uses chunk {} of scratch, which has nothing in it", place.chunk));
        const std::uint32_t chunk = std::get<2>(key);
        const auto input = contents_.find({now_.gpu, 'i', chunk});
        return input != contents_.end() ? input->second : Content{chunk, {}};
    }
    Content received(std::uint32_t message) const { return {steps_[message].chunk, {false, {message}}}; }
    Content put(MscclPlace to, Content content) {
        const Key key = key_of(to);
        if (to.buffer != 's' && std::get<2>(key) != content.chunk)
            fail(
                fmt::format("puts chunk {} of the result into the place of chunk {}", content.chunk, std::get<2>(key)));
        contents_[key] = content;
        return content;
    }
    /// Each message has one place in a sum, and so has the rank's own value.
    Content sum_of(Content sum, const Content& added) const {
        if (sum.chunk != added.chunk)
            fail(fmt::format("adds chunk {} of the result to chunk {}", added.chunk, sum.chunk));
        if (!sums_up(operation_)) fail(fmt::format("adds, but an {} has no sums", algorithm_.collective));
        if (sum.sum.own && added.sum.own) fail("adds the GPU's own values a second time");
        sum.sum.own = sum.sum.own || added.sum.own;
        for (const std::uint32_t message : added.sum.steps) {
            if (std::ranges::find(sum.sum.steps, message) != sum.sum.steps.end()) fail("adds what it has added before");
            sum.sum.steps.push_back(message);
        }
        return sum;
    }
    /// Lists a message with this content, and returns its number.
    std::uint32_t send(const Content& content) {
        steps_.push_back({now_.gpu, static_cast<GpuId>(block().send), content.chunk, Op::copy});
        sums_.carried.push_back(content.sum);
        return static_cast<std::uint32_t>(steps_.size() - 1);
    }
    /// The output, or the input where nothing was put there.
    ListedSum result_of(GpuId gpu, std::uint32_t chunk) const {
        for (const char buffer : {'o', 'i'})
            if (const auto found = contents_.find({gpu, buffer, chunk}); found != contents_.end())
                return found->second.sum;
        return {};
    }
    /// A message is added, unless it is the first, or the only one, of all sums that have it and not the own values.
    void find_operations() {
        for (const auto* sums : {&sums_.carried, &sums_.results})
            for (const ListedSum& sum : *sums)
                for (std::size_t k = sum.own ? 0 : 1; k < sum.steps.size(); ++k) steps_[sum.steps[k]].op = Op::reduce;
    }

    const MscclAlgorithm& algorithm_;
    Operation operation_;
    ChunkNames names_;
    MscclStepId now_;
    std::map<Key, Content> contents_;
    std::map<std::size_t, std::vector<std::uint32_t>> messages_;   // of sends, by their place in the order
    std::vector<ListedStep> steps_;
    ListedSums sums_;
};

}   // namespace

MscclSchedule schedule_of(const MscclAlgorithm& algorithm) { return Execution(algorithm).run(); }

}   // namespace oscar
