#include "sim/report/job_report.hpp"

#include <fmt/format.h>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

std::string job_table(const Report& report, const View& view) {
    Row heads{"method", "job", "ranks", "time us", "alone us", "slowdown"};
    if (view.wide) heads.insert(heads.end(), {"start us", "wire bytes"});
    std::vector<Row> rows{heads};
    for (const MethodReport& method : report.methods)
        for (const JobReport& job : method.jobs) {
            Row& row =
                rows.emplace_back(Row{method.name, job.name, std::to_string(job.ranks), microseconds(job.time_ps),
                                      microseconds(job.alone_ps), fmt::format("{:.3f}", job.slowdown)});
            if (view.wide)
                row.insert(row.end(), {Cell(microseconds(job.start_ps)), Cell(std::to_string(job.wire_bytes))});
        }
    return rows.size() == 1 ? "" : "\nJobs, beside each other and alone:\n" + aligned(rows, view.of_tables(), 2);
}

}   // namespace oscar
