#include "models/workload/graph.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace oscar {
namespace {

/// Per task, what it waits for: the task before it in its stream, then those that it names.
IndexedVector<TaskId, std::vector<TaskId>> predecessors(const Graph& graph) {
    IndexedVector<TaskId, std::vector<TaskId>> result;
    IndexedVector<StreamId, std::optional<TaskId>> last(graph.streams.size(), std::nullopt);
    for (const TaskId id : graph.tasks.indices()) {
        const Graph::Task& task = graph.tasks[id];
        std::vector<TaskId>& before = result.emplace_back();
        if (last[task.stream]) before.push_back(*last[task.stream]);
        before.insert(before.end(), task.after.begin(), task.after.end());
        last[task.stream] = id;
    }
    return result;
}

/// Tasks in an order in which each comes after what it waits for; of a circle, its tasks and what waits for them are
/// missing.
std::vector<TaskId> order_of(const IndexedVector<TaskId, std::vector<TaskId>>& before) {
    IndexedVector<TaskId, std::vector<TaskId>> behind(before.size());
    IndexedVector<TaskId, std::size_t> open;
    std::vector<TaskId> order;
    for (const TaskId id : before.indices()) {
        for (const TaskId other : before[id]) behind[other].push_back(id);
        open.push_back(before[id].size());
        if (before[id].empty()) order.push_back(id);
    }
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const TaskId id : behind[order[next]])
            if (--open[id] == 0) order.push_back(id);
    return order;
}

/// A circle of tasks, each of which waits for the next. Precondition: there is one; `order` has the others.
std::vector<TaskId> circle_in(const IndexedVector<TaskId, std::vector<TaskId>>& before,
                              const std::vector<TaskId>& order) {
    IndexedVector<TaskId, bool> runs(before.size());
    for (const TaskId id : order) runs[id] = true;
    const auto stuck = [&](TaskId id) { return !runs[id]; };
    TaskId first;
    while (!stuck(first)) ++first.value;
    for (std::vector<TaskId> path{first};;) {
        const TaskId next = *std::ranges::find_if(before[path.back()], stuck);
        const auto again = std::ranges::find(path, next);
        if (again != path.end()) return {again, path.end()};
        path.push_back(next);
    }
}

std::string sentence_on(const Graph& graph, const std::vector<TaskId>& circle) {
    std::string text = graph.tasks[circle.front()].name;
    for (std::size_t i = 0; i < circle.size(); ++i) {
        const TaskId id = circle[i], other = circle[(i + 1) % circle.size()];
        const bool named = std::ranges::find(graph.tasks[id].after, other) != graph.tasks[id].after.end();
        text += i == 0 ? "" : ", which";
        text += named ? " waits for " : " comes on stream " + graph.streams[graph.tasks[id].stream] + " after ";
        text += graph.tasks[other].name;
    }
    return text + ": none of them can begin";
}

/// A sentence on what a task names and is not there.
std::optional<std::string> missing_in(const Graph& graph) {
    for (const Graph::Task& task : graph.tasks) {
        if (task.stream.value >= graph.streams.size()) return task.name + " is on a stream that does not exist";
        for (const TaskId other : task.after)
            if (other.value >= graph.tasks.size()) return task.name + " waits for a task that does not exist";
    }
    return std::nullopt;
}

Time duration(const Graph::Task& task, const IndexedVector<ExchangeId, Time>& exchanges) {
    if (const auto* compute = std::get_if<Compute>(&task.work)) return compute->time;
    return exchanges[std::get<Communicate>(task.work).exchange];
}

}   // namespace

StreamId Graph::add_stream(std::string name) {
    const StreamId id = streams.next();
    streams.push_back(std::move(name));
    return id;
}

TaskId Graph::add(Task task) {
    const TaskId id = tasks.next();
    tasks.push_back(std::move(task));
    return id;
}

std::optional<std::string> find_problem(const Graph& graph) {
    if (auto missing = missing_in(graph)) return missing;
    const auto before = predecessors(graph);
    const std::vector<TaskId> order = order_of(before);
    if (order.size() == graph.tasks.size()) return std::nullopt;
    return sentence_on(graph, circle_in(before, order));
}

IndexedVector<TaskId, Span> run_graph(const Graph& graph, const IndexedVector<ExchangeId, Time>& exchanges) {
    if (const auto missing = missing_in(graph)) throw std::invalid_argument(*missing);
    const auto before = predecessors(graph);
    const std::vector<TaskId> order = order_of(before);
    if (order.size() < graph.tasks.size()) throw std::invalid_argument(sentence_on(graph, circle_in(before, order)));
    IndexedVector<TaskId, Span> times(graph.tasks.size());
    for (const TaskId id : order) {
        Time begin;
        for (const TaskId other : before[id]) begin = std::max(begin, times[other].end);
        times[id] = {begin, begin + duration(graph.tasks[id], exchanges)};
    }
    return times;
}

std::vector<Span> idle_spans(const Graph& graph, const IndexedVector<TaskId, Span>& times, StreamId stream) {
    std::vector<Span> idle;
    Time busy_until;
    for (const TaskId id : graph.tasks.indices()) {
        if (graph.tasks[id].stream != stream) continue;
        if (times[id].begin > busy_until) idle.push_back({busy_until, times[id].begin});
        busy_until = times[id].end;
    }
    return idle;
}

Time common_time(const Span& a, const Span& b) {
    return std::max(std::min(a.end, b.end) - std::max(a.begin, b.begin), Time{});
}

}   // namespace oscar
