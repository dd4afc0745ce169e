#include "sim/schedules/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <queue>
#include <utility>

#include "sim/config/error.hpp"
#include "sim/schedules/goal_operations.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t value_bytes = 4;

/// Per receive, the send that it takes: of those of its source, in the order of the file, the first that it may take
/// and no receive before it does, as MPI has it.
class Matches {
public:
    explicit Matches(const std::vector<GoalOperation>& operations)
        : operations_(operations), send_of_(operations.size()) {
        for (std::size_t i = 0; i < operations.size(); ++i)
            if (const auto& o = operations[i]; o.kind == Kind::receive) receives_[{o.peer, o.rank}].add(i, o.tag);
        for (std::size_t i = 0; i < operations.size(); ++i)
            if (operations[i].kind == Kind::send) match(i);
        for (const auto& [ends, posted] : receives_)
            if (const auto left = posted.first())
                fail(operations[*left],
                     fmt::format("rank {} sends no such message to rank {}", ends.first, ends.second));
    }
    std::size_t operator[](std::size_t receive) const { return send_of_[receive]; }

private:
    using Kind = GoalOperation::Kind;

    /// The receives of a pair of ranks that have no send yet, by tag and in the order of the file.
    class Posted {
    public:
        void add(std::size_t receive, std::optional<std::uint64_t> tag) { by_tag_[tag].push_back(receive); }
        /// The first that takes this tag.
        std::optional<std::size_t> take(std::optional<std::uint64_t> tag) {
            std::deque<std::size_t>*of_tag = &by_tag_[tag], *of_any = &by_tag_[std::nullopt];
            if (of_tag->empty() || (!of_any->empty() && of_any->front() < of_tag->front())) of_tag = of_any;
            if (of_tag->empty()) return std::nullopt;
            const std::size_t receive = of_tag->front();
            of_tag->pop_front();
            return receive;
        }
        std::optional<std::size_t> first() const {
            std::optional<std::size_t> least;
            for (const auto& [tag, left] : by_tag_)
                if (!left.empty()) least = std::min(least.value_or(left.front()), left.front());
            return least;
        }

    private:
        std::map<std::optional<std::uint64_t>, std::deque<std::size_t>> by_tag_;
    };

    void match(std::size_t send) {
        const GoalOperation& sent = operations_[send];
        const auto receive = receives_[{sent.rank, sent.peer}].take(sent.tag);
        if (!receive) fail(sent, fmt::format("rank {} has no receive for this message", sent.peer));
        const GoalOperation& taken = operations_[*receive];
        if (sent.bytes != taken.bytes)
            fail(taken,
                 fmt::format("{} bytes are received of the {} that line {} sends", taken.bytes, sent.bytes, sent.line));
        send_of_[*receive] = send;
    }
    [[noreturn]] static void fail(const GoalOperation& operation, const std::string& what) {
        throw InputError(
            fmt::format("line {}: {}; each send needs a receive of the same bytes and tag", operation.line, what));
    }

    const std::vector<GoalOperation>& operations_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Posted> receives_;   // [from, to]
    std::vector<std::size_t> send_of_;
};

/// An order of the starts and ends of operations. Event 2 i is the start of operation i, and 2 i + 1 its end.
class EventOrder {
public:
    EventOrder(const std::vector<GoalOperation>& operations, const Matches& send_of)
        : operations_(operations), send_of_(send_of), later_(2 * operations.size()), open_(2 * operations.size()) {
        for (std::size_t event = 0; event < open_.size(); ++event)
            for (const std::size_t earlier : before(event)) {
                later_[earlier].push_back(event);
                ++open_[event];
            }
    }
    /// As early in the file as what they wait for allows. InputError: some wait for each other.
    std::vector<std::size_t> all() && {
        std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
        for (std::size_t event = 0; event < open_.size(); ++event)
            if (open_[event] == 0) free.push(event);
        std::vector<std::size_t> order;
        for (; !free.empty();) {
            order.push_back(free.top());
            free.pop();
            for (const std::size_t event : later_[order.back()])
                if (--open_[event] == 0) free.push(event);
        }
        if (order.size() < open_.size()) fail();
        return order;
    }

private:
    /// The events that come before one.
    std::vector<std::size_t> before(std::size_t event) const {
        const GoalOperation& operation = operations_[event / 2];
        std::vector<std::size_t> all;
        if (event % 2 == 0) {
            for (const std::size_t other : operation.required) all.push_back(2 * other + 1);
            for (const std::size_t other : operation.begun) all.push_back(2 * other);
        } else {
            all.push_back(event - 1);
            if (operation.kind == GoalOperation::Kind::receive) all.push_back(2 * send_of_[event / 2]);
        }
        return all;
    }
    /// Goes back from an event that never comes to others that never come, until one comes again.
    [[noreturn]] void fail() const {
        const auto never = [&](std::size_t event) { return open_[event] > 0; };
        std::size_t event = 0;
        while (!never(event)) ++event;
        std::vector<bool> seen(open_.size());
        for (bool met = false;;) {   // again; then a step more, from the start to the end of one operation
            seen[event] = true;
            const auto earlier = before(event);
            const std::size_t next = *std::ranges::find_if(earlier, never);
            if (seen[next] && (met || next / 2 != event / 2))
                throw InputError(fmt::format("line {}: waits for line {}, which waits for it; leave one out",
                                             operations_[event / 2].line, operations_[next / 2].line));
            met = seen[next];
            event = next;
        }
    }

    const std::vector<GoalOperation>& operations_;
    const Matches& send_of_;
    std::vector<std::vector<std::size_t>> later_;   // per event, those that wait for it
    std::vector<std::size_t> open_;                 // per event, those before it that have not come
};

/// What must have come to a rank: flows and computations, by their numbers.
struct Awaited {
    std::vector<std::uint32_t> flows, computations;
    std::size_t size() const { return flows.size() + computations.size(); }
    Awaited& operator+=(const Awaited& other) {
        for (const auto member : {&Awaited::flows, &Awaited::computations}) {
            auto& own = this->*member;
            own.insert(own.end(), (other.*member).begin(), (other.*member).end());
            std::ranges::sort(own);
            own.erase(std::unique(own.begin(), own.end()), own.end());
        }
        return *this;
    }
};

/// Makes the flows and the computations, in the order of events.
class Transfers {
public:
    Transfers(const GoalOperations& operations, const Matches& send_of)
        : operations_(operations.all),
          send_of_(send_of),
          started_(operations_.size()),
          done_(operations_.size()),
          flow_(operations_.size()) {
        schedule_.ranks = operations.ranks;
    }
    GoalSchedule make() && {
        for (const std::size_t event : EventOrder(operations_, send_of_).all())
            event % 2 == 0 ? start(event / 2) : end(event / 2);
        return std::move(schedule_);
    }

private:
    static constexpr std::size_t most_awaited = 8;   // of what is handed on; more is gathered in a computation

    void start(std::size_t i) {
        const GoalOperation& operation = operations_[i];
        Awaited& awaited = started_[i];
        for (const std::size_t other : operation.required) awaited += done_[other];
        for (const std::size_t other : operation.begun) awaited += started_[other];
        if (operation.kind == GoalOperation::Kind::send) send(i, awaited);
        if (awaited.size() > most_awaited) gather(operation, {}, awaited);
    }
    void end(std::size_t i) {
        const GoalOperation& operation = operations_[i];
        Awaited& awaited = done_[i] = started_[i];
        if (operation.kind == GoalOperation::Kind::receive) awaited += Awaited{{flow_[send_of_[i]]}, {}};
        const Time time{static_cast<std::int64_t>(operation.nanoseconds) * 1000};
        if (time > Time{} || awaited.size() > most_awaited) gather(operation, time, awaited);
    }
    void send(std::size_t i, const Awaited& awaited) {
        const GoalOperation& o = operations_[i];
        const std::uint64_t values = std::max<std::uint64_t>(1, (o.bytes + value_bytes - 1) / value_bytes);
        if (values > std::numeric_limits<std::uint32_t>::max())
            throw InputError(
                fmt::format("line {}: a message has 16 GiB or more, which are more values than can be counted; "
                            "send fewer bytes at once",
                            o.line));
        flow_[i] = static_cast<std::uint32_t>(schedule_.flows.size());
        schedule_.flows.push_back(
            {o.rank, o.peer, Bytes{values * value_bytes}, {}, awaited.flows, awaited.computations});
    }
    /// A computation of this time that waits for all of these takes their place.
    void gather(const GoalOperation& operation, Time time, Awaited& awaited) {
        const auto number = static_cast<std::uint32_t>(schedule_.computations.size());
        schedule_.computations.push_back(
            {operation.rank, operation.processor, time, std::move(awaited.flows), std::move(awaited.computations)});
        awaited = {{}, {number}};
    }

    const std::vector<GoalOperation>& operations_;
    const Matches& send_of_;
    std::vector<Awaited> started_, done_;   // per operation
    std::vector<std::uint32_t> flow_;       // per send
    GoalSchedule schedule_;
};

}   // namespace

GoalSchedule read_goal(const std::string& text) {
    const GoalOperations operations = read_goal_operations(text);
    GoalSchedule schedule = Transfers(operations, Matches(operations.all)).make();
    if (schedule.flows.empty()) throw InputError("there is no message; write sends and receives");
    return schedule;
}

}   // namespace oscar
