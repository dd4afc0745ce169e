// The work of a step as a graph: computations and exchanges on streams, and what each of them waits for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/core/index.hpp"
#include "models/core/indexed_vector.hpp"
#include "models/core/spans.hpp"
#include "models/core/units.hpp"

namespace oscar {

using TaskId = Index<struct TaskTag>;           ///< a position in Graph::tasks
using StreamId = Index<struct StreamTag>;       ///< a position in Graph::streams
using ExchangeId = Index<struct ExchangeTag>;   ///< a collective of the step

/// Work of a task: a part of the computation, on all ranks at once.
struct Compute {
    Time time;
};

/// Work of a task: a collective, whose time the network decides.
struct Communicate {
    ExchangeId exchange;
};

/// Tasks of one stream run one after the other in their order in the graph, as kernels of a CUDA stream do. A task also
/// waits for the tasks that it names.
struct Graph {
    struct Task {
        std::string name;   ///< for errors and timelines
        StreamId stream;
        std::variant<Compute, Communicate> work;
        std::vector<TaskId> after = {};
    };

    IndexedVector<StreamId, std::string> streams;   ///< their names
    IndexedVector<TaskId, Task> tasks;

    StreamId add_stream(std::string name);
    TaskId add(Task task);
};

/// A sentence on a task whose stream or predecessor does not exist, or on tasks that wait for each other in a circle;
/// nothing if every task can run.
std::optional<std::string> find_problem(const Graph& graph);

/// When each task runs if every task begins as soon as its stream and its predecessors are done, and each exchange
/// takes its time in `exchanges`, whatever else is under way. Throws std::invalid_argument with find_problem()'s
/// sentence.
IndexedVector<TaskId, Span> run_graph(const Graph& graph, const IndexedVector<ExchangeId, Time>& exchanges);

/// The spans before a task of the stream in which none of its tasks runs, from the beginning of the step on.
std::vector<Span> idle_spans(const Graph& graph, const IndexedVector<TaskId, Span>& times, StreamId stream);

/// The time that two spans have in common.
Time common_time(const Span& a, const Span& b);

}   // namespace oscar
