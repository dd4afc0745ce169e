#include "sim/report/tables/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/describe/wrap.hpp"
#include "sim/report/causes/bottleneck.hpp"
#include "sim/report/tables/columns.hpp"

namespace oscar {
namespace {

/// A row per method with the columns of `table`.
std::vector<Row> rows_of(const Report& report, TerminalTable table, const View& view) {
    const std::vector<MadeColumn> columns = columns_of(table, report, view.wide);
    std::vector<Row> rows{{"method"}};
    for (const MadeColumn& column : columns) rows.front().emplace_back(std::string(column.head));
    for (const MethodReport& method : report.methods) {
        Row& row = rows.emplace_back(Row{method.name});
        for (const MadeColumn& column : columns) row.emplace_back(column.cell(method));
    }
    return rows;
}

std::string difference_cell(const MethodReport& m) {
    if (!m.closed_form_ps) return "-";
    return fmt::format("{:.3f}", static_cast<double>(m.allreduce_ps - *m.closed_form_ps) / 1e3);
}

class Legend {
public:
    Legend(const Report& report, const View& view) : report_(report), width_(view.screen.width), wide_(view.wide) {}
    void add(std::string_view head, std::string_view meaning) {
        text_ += paragraph(fmt::format("{}: {}", head, meaning), width_, 2);
    }
    void add(TerminalTable table) {
        for (const MadeColumn& column : columns_of(table, report_, wide_)) add(column.head, column.meaning);
    }
    const std::string& text() const { return text_; }

private:
    const Report& report_;
    std::size_t width_;
    bool wide_;
    std::string text_;
};

void add_critical_path(Legend& legend) {
    std::size_t part = 0;
    for_each_field<CriticalPath>([&](const auto& field) {
        legend.add(critical_path_heads.at(part++), fmt::format("of the critical path, {}", field.meaning));
    });
}

}   // namespace

std::string means_over_ranks(const Report& report, const View& view) {
    return "\n" +
           paragraph("What a rank does meanwhile, mean over the ranks; sending, coding and idle add up to the time:",
                     view.screen.width) +
           aligned(rows_of(report, TerminalTable::shares, view), view.of_tables());
}

std::string closed_form_table(const Report& report, const View& view) {
    std::vector<Row> rows = rows_of(report, TerminalTable::checks, view);
    rows.front().emplace_back("difference ns");
    for (std::size_t m = 0; m < report.methods.size(); ++m)
        rows[m + 1].emplace_back(difference_cell(report.methods[m]));
    return "\n" +
           paragraph("A check of the simulation: the time by a closed form, and what the simulation adds to it:",
                     view.screen.width) +
           aligned(rows, view.of_tables());
}

std::string cost_tables(const Report& report, const View& view) {
    if (std::ranges::none_of(report.methods, &MethodReport::costed)) return "";
    return "\n" + paragraph("Energy of an AllReduce, all ranks (docs/cost.md):", view.screen.width) +
           aligned(rows_of(report, TerminalTable::energies, view), view.of_tables()) + "\n" +
           paragraph("Engine of a NIC, for each method alone:", view.screen.width) +
           aligned(rows_of(report, TerminalTable::areas, view), view.of_tables());
}

std::string remedies(const Report& report, const Screen& screen) {
    std::string text;
    const auto add = [&](const Bottleneck& limiter) {
        const bool limits = std::ranges::any_of(report.methods, [&](const MethodReport& method) {
            return &bottleneck_of(method.critical_path, dma_limit_of(method)) == &limiter &&
                   method.critical_path.total_ps() > 0;
        });
        if (limits) text += paragraph(fmt::format("limited by {}: {}", limiter.name, limiter.remedy), screen.width, 2);
    };
    for (const Bottleneck& limiter : bottlenecks) add(limiter);
    add(dma_with_class_masks);
    add(pcie_uplink);
    return text.empty() ? "" : "\n" + text;
}

std::string legend(const Report& report, const View& view) {
    Legend legend(report, view);
    legend.add(TerminalTable::times);
    legend.add("speed-up, x", "the other method's time / this one's");
    legend.add("sums", "whether all ranks' sums are those of an untimed reference; - where nothing is summed");
    add_critical_path(legend);
    if (view.wide || view.explain) legend.add(TerminalTable::shares);
    if (view.explain) legend.add(TerminalTable::checks);
    if (std::ranges::any_of(report.methods, &MethodReport::costed))
        for (const TerminalTable table : {TerminalTable::energies, TerminalTable::areas}) legend.add(table);
    return "\n" + legend.text();
}

}   // namespace oscar
