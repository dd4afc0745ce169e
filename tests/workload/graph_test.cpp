// Graphs of work: streams keep their order, tasks wait for what they name, and nothing else decides when they run.
#include "models/workload/graph.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "models/workload/data_parallel_graph.hpp"
#include "tests/core/random.hpp"

namespace oscar::graph_test {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Random tasks on some streams, each of which waits for up to two tasks before it in the list.
struct RandomGraph {
    Graph graph;
    IndexedVector<ExchangeId, Time> exchanges;

    RandomGraph(std::uint64_t seed, std::uint32_t streams, std::uint32_t tasks, bool edges = true) {
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t bound) { return static_cast<std::uint32_t>(random() % bound); };
        for (std::uint32_t s = 0; s < streams; ++s) graph.add_stream("s" + std::to_string(s));
        for (std::uint32_t t = 0; t < tasks; ++t) {
            Graph::Task task{"t" + std::to_string(t), StreamId{below(streams)}, Compute{Time{below(50)}}};
            if (below(2) == 0) {
                task.work = Communicate{exchanges.next()};
                exchanges.push_back(Time{below(50)});
            }
            for (std::uint32_t e = 0; edges && t > 0 && e < below(3); ++e) task.after.push_back(TaskId{below(t)});
            graph.add(std::move(task));
        }
    }
    Time duration(TaskId id) const {
        const auto& work = graph.tasks[id].work;
        if (const auto* compute = std::get_if<Compute>(&work)) return compute->time;
        return exchanges[std::get<Communicate>(work).exchange];
    }
    auto times() const { return run_graph(graph, exchanges); }
};

TEST(Graph, HasEachTaskBeginWhenTheLastOfItsStreamAndItsPredecessorsEnds) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE(seed);
        const RandomGraph random(seed, 1 + static_cast<std::uint32_t>(seed % 4), 30);
        const auto times = random.times();
        IndexedVector<StreamId, Time> free(random.graph.streams.size());
        for (const TaskId id :
             random.graph.tasks.indices()) {   // in the order of the list all that it waits for is done
            const Graph::Task& task = random.graph.tasks[id];
            Time begin = free[task.stream];
            for (const TaskId other : task.after) begin = std::max(begin, times[other].end);
            EXPECT_EQ(times[id], (Span{begin, begin + random.duration(id)})) << task.name;
            free[task.stream] = times[id].end;
        }
    }
}

TEST(Graph, WithoutEdgesRunsEachStreamAsIfItWereAlone) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const RandomGraph random(seed, 3, 20, false);
        const auto times = random.times();
        IndexedVector<StreamId, Time> sum(3);
        for (const TaskId id : random.graph.tasks.indices()) {
            Time& of_stream = sum[random.graph.tasks[id].stream];
            EXPECT_EQ(times[id].begin, of_stream) << "seed " << seed;
            of_stream += random.duration(id);
        }
    }
}

TEST(Graph, OnOneStreamTakesTheSumOfAllTasks) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const RandomGraph random(seed, 1, 20);
        Time sum;
        for (const TaskId id : random.graph.tasks.indices()) sum += random.duration(id);
        EXPECT_EQ(random.times().back().end, sum) << "seed " << seed;
        EXPECT_THAT(idle_spans(random.graph, random.times(), StreamId{0}), IsEmpty()) << "seed " << seed;
    }
}

TEST(Graph, EndsNoEarlierWhereATaskTakesLonger) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RandomGraph random(seed, 3, 20);
        if (random.exchanges.empty()) continue;
        const auto before = random.times();
        random.exchanges[ExchangeId{static_cast<std::uint32_t>(seed % random.exchanges.size())}] += 7_ps;
        const auto after = random.times();
        for (const TaskId id : random.graph.tasks.indices()) EXPECT_GE(after[id].end, before[id].end) << seed;
    }
}

TEST(Graph, MayNameATaskThatComesLaterInTheListOnAnotherStream) {
    Graph graph;
    const StreamId a = graph.add_stream("a"), b = graph.add_stream("b");
    graph.add({"first", a, Compute{10_ps}, {TaskId{1}}});
    graph.add({"second", b, Compute{5_ps}});
    EXPECT_THAT(run_graph(graph, {}), ElementsAre(Span{5_ps, 15_ps}, Span{0_ps, 5_ps}));
    EXPECT_THAT(idle_spans(graph, run_graph(graph, {}), a), ElementsAre(Span{0_ps, 5_ps}));
}

TEST(Graph, IsRefusedWithTheNamesOfTasksThatWaitForEachOther) {
    Graph graph;
    const StreamId a = graph.add_stream("a"), b = graph.add_stream("b");
    graph.add({"free", a, Compute{1_ps}});
    graph.add({"gather", a, Compute{1_ps}, {TaskId{3}}});
    graph.add({"pass", b, Compute{1_ps}, {TaskId{1}}});
    graph.add({"update", b, Compute{1_ps}});
    graph.add({"behind", a, Compute{1_ps}, {TaskId{3}}});
    EXPECT_EQ(find_problem(graph),
              "gather waits for update, which comes on stream b after pass, which waits for gather: "
              "none of them can begin");
    EXPECT_THROW(run_graph(graph, {}), std::invalid_argument);
    graph.tasks[TaskId{1}].after.clear();
    EXPECT_EQ(find_problem(graph), std::nullopt);
}

TEST(Graph, IsRefusedWhereAStreamWaitsForItselfOrATaskForItself) {
    Graph graph;
    const StreamId a = graph.add_stream("a");
    graph.add({"early", a, Compute{1_ps}, {TaskId{1}}});
    graph.add({"late", a, Compute{1_ps}});
    EXPECT_EQ(find_problem(graph), "early waits for late, which comes on stream a after early: none of them can begin");
    graph.tasks[TaskId{0}].after = {TaskId{0}};
    EXPECT_EQ(find_problem(graph), "early waits for early: none of them can begin");
}

TEST(Graph, IsRefusedWhereItNamesWhatDoesNotExist) {
    Graph graph;
    const StreamId a = graph.add_stream("a");
    graph.add({"lonely", a, Compute{1_ps}, {TaskId{1}}});
    EXPECT_EQ(find_problem(graph), "lonely waits for a task that does not exist");
    graph.tasks[TaskId{0}] = {"lost", StreamId{1}, Compute{1_ps}};
    EXPECT_EQ(find_problem(graph), "lost is on a stream that does not exist");
}

TEST(DataParallelGraph, HasTheTimesOfOneStreamThatSendsBucketsInTurn) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        std::mt19937_64 random(seed);
        const auto below = [&](std::uint64_t bound) { return Time{static_cast<std::int64_t>(random() % bound)}; };
        StepCompute compute{below(100), below(100), below(20), {}};
        std::vector<Time> allreduce;
        for (std::uint64_t b = random() % 6; b > 0; --b) {   // ready in any order
            compute.ready.push_back(compute.forward + below(static_cast<std::uint64_t>(compute.backward.ps) + 1));
            allreduce.push_back(below(60));
        }
        const StepTimeline step = make_timeline(compute, allreduce);
        Time free;
        for (std::size_t b = 0; b < allreduce.size(); ++b) {
            const Time start = std::max(compute.ready[b], free);
            free = start + allreduce[b];
            EXPECT_EQ(step.buckets[b], (BucketTimes{compute.ready[b], start, free})) << "seed " << seed;
        }
        EXPECT_EQ(step.step, std::max(compute.forward + compute.backward, free) + compute.optimiser) << seed;
    }
}

TEST(CommonTime, IsThatOfTheOverlapAlone) {
    EXPECT_EQ(common_time({0_ps, 10_ps}, {4_ps, 20_ps}), 6_ps);
    EXPECT_EQ(common_time({0_ps, 10_ps}, {2_ps, 5_ps}), 3_ps);
    EXPECT_EQ(common_time({0_ps, 10_ps}, {10_ps, 20_ps}), 0_ps);
    EXPECT_EQ(common_time({30_ps, 40_ps}, {10_ps, 20_ps}), 0_ps);
}

}   // namespace
}   // namespace oscar::graph_test
