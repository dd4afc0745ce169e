// Times of several jobs on one network, in the report and on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/core/fields.hpp"

namespace oscar {

struct Report;
struct View;

/// One method's run of a job, beside the others and alone on the machine.
struct JobReport {
    std::string name;
    std::uint64_t ranks = 0;
    std::int64_t start_ps = 0, time_ps = 0, alone_ps = 0;
    double slowdown = 1;
    std::uint64_t wire_bytes = 0;
    static constexpr auto fields() {
        using J = JobReport;
        return Entries{
            field("name", &J::name, "of the job"),
            field("ranks", &J::ranks, "that take part"),
            field("start_ps", &J::start_ps, "after the first of the jobs"),
            field("time_ps", &J::time_ps, "from its start until its last rank has its result"),
            field("alone_ps", &J::alone_ps, "the same where it has the machine to itself"),
            field("slowdown", &J::slowdown, "time_ps / alone_ps"),
            field("wire_bytes", &J::wire_bytes, "that it sends, with packet headers"),
        };
    }
};

/// Each job of each method; empty where the experiment has no jobs.
std::string job_table(const Report& report, const View& view);

}   // namespace oscar
