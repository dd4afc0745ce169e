#include "sim/report/job_report.hpp"

#include <fmt/format.h>

#include "sim/report/report.hpp"
#include "sim/report/text_table.hpp"

namespace oscar::inline report {

std::string job_table(const Report& report) {
    std::vector<Row> rows{{"method", "job", "ranks", "start us", "time us", "alone us", "slowdown", "wire bytes"}};
    for (const MethodReport& method : report.methods)
        for (const JobReport& job : method.jobs)
            rows.push_back({method.name, job.name, std::to_string(job.ranks), microseconds(job.start_ps),
                            microseconds(job.time_ps), microseconds(job.alone_ps), fmt::format("{:.3f}", job.slowdown),
                            std::to_string(job.wire_bytes)});
    return rows.size() == 1 ? "" : "\nJobs, beside each other and alone:\n" + aligned(rows);
}

}   // namespace oscar::inline report
