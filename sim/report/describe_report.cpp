#include "sim/report/describe_report.hpp"

#include <fmt/format.h>

#include "sim/describe/describe.hpp"
#include "sim/describe/wrap.hpp"
#include "sim/report/background_report.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/report.hpp"
#include "sim/report/statistics.hpp"

namespace oscar {
namespace {

template <class T>
std::string type_of() {
    return type_text(describe_value(T{}));
}

template <FieldTable P>
ReportPart part(std::string path, std::string adds_up) {
    ReportPart made{std::move(path), std::move(adds_up), {}};
    for_each_field<P>([&]<class Owner, class T>(const Field<Owner, T>& field) {
        made.fields.push_back({std::string(field.key), std::string(unit_of(field.key)), type_of<T>(),
                               std::string(field.meaning), "", ""});
    });
    return made;
}

ReportPart method_part() {
    ReportPart made{"methods[]", "", {{"name", "", type_of<std::string>(), "of the method", "", ""}}};
    for_each_statistic([&]<class S>(const S& statistic) {
        if (statistic.shown == Shown::methods || statistic.shown == Shown::everywhere ||
            statistic.shown == Shown::methods_if_costed || statistic.shown == Shown::methods_if_tiered)
            made.fields.push_back({std::string(statistic.key), std::string(unit_of(statistic.key)),
                                   type_of<typename S::Value>(), std::string(statistic.meaning),
                                   std::string(statistic.over_buckets.text),
                                   std::string(statistic.over_iterations.text)});
    });
    return made;
}

/// The meaning, and how it adds up where the part does not say it.
std::string whole_meaning(const ReportField& field) {
    if (field.over_buckets.empty()) return field.meaning;
    if (field.over_buckets == field.over_iterations)
        return fmt::format("{} [over buckets and iterations: {}]", field.meaning, field.over_buckets);
    return fmt::format("{} [over buckets: {}; over iterations: {}]", field.meaning, field.over_buckets,
                       field.over_iterations);
}

}   // namespace

std::vector<ReportPart> report_parts() {
    return {part<TraceReport>("trace", ""),
            method_part(),
            part<CriticalPath>("methods[].critical_path", "sum over buckets, mean over iterations"),
            part<LinkShare>("methods[].links[]",
                            "by name; wire_bytes: sum; utilisation: mean over iterations, of the "
                            "summed times over buckets"),
            part<FlowReport>("methods[].flows[]", "concatenated"),
            part<ExchangeReport>("methods[].exchanges[]", "by name; times: mean over iterations"),
            part<FactorReport>("methods[].factors[]", "by factor, over buckets and iterations"),
            part<LongestStep>("methods[].longest_step", "of the first iteration; the longest of its buckets"),
            part<RunActivity>("methods[].activity", "of the first iteration and its first bucket"),
            part<LinkActivity>("methods[].activity.busiest_links[]", "of the first iteration and its first bucket"),
            part<TimestepReport>("methods[].timesteps", "of the first iteration and its first bucket"),
            part<ChunkBalance>("methods[].chunk_balance", "of the first iteration and its first bucket"),
            part<TransportUse>("methods[].transport", "sum over buckets and iterations"),
            part<FaultUse>("methods[].faults", "sum over buckets and iterations"),
            part<BackgroundReport>("methods[].background", "of all messages over buckets and iterations"),
            part<JobReport>("methods[].jobs[]", ""),
            part<StepReport>("methods[].step", "mean over iterations"),
            part<BucketReport>("methods[].step.buckets[]", "mean over iterations"),
            part<AmdahlCheck>("methods[].step.amdahl.METHOD", "of the means over iterations"),
            part<ShardingReport>("methods[].step.sharding", "mean over iterations"),
            part<HostReport>("host", "")};
}

nlohmann::ordered_json describe_report_json() {
    auto parts = nlohmann::ordered_json::array();
    for (const ReportPart& part : report_parts()) {
        nlohmann::ordered_json& object = parts.emplace_back(
            nlohmann::ordered_json{{"path", part.path}, {"adds_up", part.adds_up}, {"fields", nullptr}});
        for (const ReportField& f : part.fields)
            object["fields"].push_back({{"key", f.key},
                                        {"unit", f.unit},
                                        {"type", f.type},
                                        {"meaning", f.meaning},
                                        {"over_buckets", f.over_buckets},
                                        {"over_iterations", f.over_iterations}});
    }
    return parts;
}

std::string describe_report(std::size_t width) {
    std::string text;
    for (const ReportPart& part : report_parts()) {
        std::vector<DescribeRow> rows;
        for (const ReportField& field : part.fields)
            rows.push_back({field.key, field.unit, field.type, whole_meaning(field)});
        text += (text.empty() ? "" : "\n") +
                paragraph(part.path + (part.adds_up.empty() ? "" : ": " + part.adds_up), width, 2) + "\n";
        text += describe_table(rows, width, {"field", "unit", "type", "meaning"});
    }
    return text;
}

}   // namespace oscar
