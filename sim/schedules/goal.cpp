#include "sim/schedules/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "sim/config/error.hpp"
#include "sim/schedules/goal_operations.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t value_bytes = 4;

/// Per receive, the send that it takes: the first of the same ends and tag that is left.
class Matches {
public:
    explicit Matches(const std::vector<GoalOperation>& operations) : send_of_(operations.size()) {
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::deque<std::size_t>> sends;
        for (std::size_t i = 0; i < operations.size(); ++i)
            if (const auto& o = operations[i]; o.kind == GoalOperation::Kind::send)
                sends[{o.rank, o.peer, o.tag}].push_back(i);
        for (std::size_t i = 0; i < operations.size(); ++i)
            if (const auto& o = operations[i]; o.kind == GoalOperation::Kind::receive) {
                auto& left = sends[{o.peer, o.rank, o.tag}];
                if (left.empty()) fail(o, fmt::format("rank {} sends no such message to rank {}", o.peer, o.rank));
                const auto& sent = operations[left.front()];
                if (sent.bytes != o.bytes)
                    fail(o, fmt::format("{} bytes are received of the {} that line {} sends", o.bytes, sent.bytes,
                                        sent.line));
                send_of_[i] = left.front();
                left.pop_front();
            }
        for (const auto& [ends, left] : sends)
            if (!left.empty())
                fail(operations[left.front()],
                     fmt::format("rank {} has no receive for this message", std::get<1>(ends)));
    }
    std::size_t operator[](std::size_t receive) const { return send_of_[receive]; }

private:
    [[noreturn]] static void fail(const GoalOperation& operation, const std::string& what) {
        throw InputError(
            fmt::format("line {}: {}; each send needs a receive of the same bytes and tag", operation.line, what));
    }
    std::vector<std::size_t> send_of_;
};

/// The sends in an order in which they could happen, each with the sends whose messages it waits for.
class Order {
public:
    Order(const std::vector<GoalOperation>& operations, const Matches& send_of)
        : operations_(operations), send_of_(send_of), state_(operations.size()), awaited_(operations.size()) {
        for (std::size_t i = 0; i < operations.size(); ++i) visit(i);
    }
    std::vector<FlowSpec> flows() const {
        std::vector<FlowSpec> result;
        std::map<std::size_t, std::uint32_t> number;
        for (const std::size_t i : sends_) {
            const GoalOperation& o = operations_[i];
            const std::uint64_t values = std::max<std::uint64_t>(1, (o.bytes + value_bytes - 1) / value_bytes);
            FlowSpec flow{o.rank, o.peer, Bytes{values * value_bytes}, {}, {}};
            for (const std::size_t send : awaited_[i]) flow.after.push_back(number.at(send));
            number[i] = static_cast<std::uint32_t>(result.size());
            result.push_back(std::move(flow));
        }
        return result;
    }

private:
    enum class State : std::uint8_t { fresh, under_way, done };

    /// What must be done before an operation: what it requires and, of a receive, the send.
    std::vector<std::size_t> before(std::size_t i) const {
        std::vector<std::size_t> all = operations_[i].required;
        if (operations_[i].kind == GoalOperation::Kind::receive) all.push_back(send_of_[i]);
        return all;
    }
    /// Depth first, with a stack of its own: chains are as long as a file.
    void visit(std::size_t first) {
        std::vector<std::size_t> stack{first};
        while (!stack.empty()) {
            const std::size_t i = stack.back();
            if (state_[i] == State::fresh) {
                state_[i] = State::under_way;
                for (const std::size_t earlier : before(i)) {
                    if (state_[earlier] == State::under_way)
                        throw InputError(fmt::format("line {}: waits for line {}, which waits for it; leave one out",
                                                     operations_[i].line, operations_[earlier].line));
                    if (state_[earlier] == State::fresh) stack.push_back(earlier);
                }
                continue;
            }
            stack.pop_back();
            if (state_[i] == State::under_way) finish(i);
        }
    }
    void finish(std::size_t i) {
        state_[i] = State::done;
        std::set<std::size_t>& awaited = awaited_[i];
        for (const std::size_t earlier : operations_[i].required)
            if (operations_[earlier].kind == GoalOperation::Kind::receive) awaited.insert(send_of_[earlier]);
            else awaited.insert(awaited_[earlier].begin(), awaited_[earlier].end());
        if (operations_[i].kind == GoalOperation::Kind::send) sends_.push_back(i);
    }

    const std::vector<GoalOperation>& operations_;
    const Matches& send_of_;
    std::vector<State> state_;
    std::vector<std::set<std::size_t>> awaited_;   ///< sends whose messages an operation of this rank waits for
    std::vector<std::size_t> sends_;
};

}   // namespace

GoalSchedule read_goal(const std::string& text) {
    const GoalOperations operations = read_goal_operations(text);
    GoalSchedule schedule{operations.ranks, Order(operations.all, Matches(operations.all)).flows()};
    if (schedule.flows.empty()) throw InputError("there is no message; write sends and receives");
    return schedule;
}

}   // namespace oscar
