#include "sim/sweep/database.hpp"

#include <fmt/format.h>

#include "sim/report/statistics.hpp"
#include "sim/sweep/sql.hpp"

namespace oscar {
namespace {

using sql::identifier;
using sql::literal;

/// The value of the only row in the group that meets `condition`, under `name`.
std::string column(const std::string& condition, const std::string& name) {
    return fmt::format(",\n  max(CASE WHEN {} THEN value END) AS {}", condition, identifier(name));
}

std::string metric_is(const std::string& metric) { return "metric = " + literal(metric); }

std::string plan_columns(const std::vector<std::string>& keys) {
    std::string sql = "plan.position, plan.key";
    for (const std::string& key : keys) sql += ", plan." + identifier(key);
    return sql;
}

std::string points_view(const std::vector<std::string>& keys, const std::vector<std::string>& methods,
                        const std::vector<std::string>& metrics) {
    std::string sql = "CREATE VIEW points AS SELECT " + plan_columns(keys) +
                      ", coalesce(status, 'pending') AS status, exit_status, error";
    for (const std::string& method : methods)
        for (const std::string& metric : metrics)
            sql += column("method = " + literal(method) + " AND " + metric_is(metric),
                          fmt::format("{}.{}", method, metric));
    return sql + "\n  FROM plan LEFT JOIN results USING (key) LEFT JOIN metrics USING (key) GROUP BY plan.position;";
}

std::string methods_view(const std::vector<std::string>& keys, const std::vector<std::string>& methods,
                         const std::vector<std::string>& metrics) {
    std::string sql = "CREATE VIEW methods AS SELECT " + plan_columns(keys) + ", method";
    for (const std::string& metric : metrics) sql += column(metric_is(metric), metric);
    for (const std::string& baseline : methods)
        sql += column(metric_is(speedup_name(baseline)), speedup_name(baseline));
    return sql + "\n  FROM plan JOIN metrics USING (key) GROUP BY plan.position, method_position;";
}

}   // namespace

std::vector<std::string> metric_names(bool costed, bool tiered) {
    std::vector<std::string> names;
    for_each_statistic([&]<class S>(const S& statistic) {
        using T = typename S::Value;
        const bool always = statistic.shown == Shown::methods || statistic.shown == Shown::everywhere;
        const bool at_times = (costed && statistic.shown == Shown::methods_if_costed) ||
                              (tiered && statistic.shown == Shown::methods_if_tiered);
        if (!always && !at_times) return;
        if constexpr (FieldTable<T>)
            for_each_field<T>(
                [&](const auto& part) { names.push_back(fmt::format("{}.{}", statistic.key, part.key)); });
        else names.emplace_back(statistic.key);
    });
    return names;
}

std::string speedup_name(const std::string& baseline) { return "speedup." + baseline; }

std::string make_views(const SweepPlan& plan) {
    const auto keys = plan.definition.keys(), metrics = metric_names(plan.costed, plan.tiered);
    return "DROP VIEW IF EXISTS points; DROP VIEW IF EXISTS methods;\n" + points_view(keys, plan.methods, metrics) +
           "\n" + methods_view(keys, plan.methods, metrics);
}

}   // namespace oscar
