// Whole experiments on traces made by the tests. No machine is made in a process once one has run: a test runs one
// experiment to its end.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/report/tables/table.hpp"
#include "sim/run/experiment.hpp"
#include "tests/run/support.hpp"

namespace oscar::test {

inline void ignore(const std::string&, double) {}

/// True for progress of the work itself, not of its preparation.
inline bool is_work(const std::string& what) { return !what.starts_with("preparation: "); }

/// What a terminal shows of a report, with whole sentences in a line.
inline std::string unbroken_table(const Report& report) { return to_table(report, {.screen = {.width = any_width}}); }

/// A folder with the experiment exp.yaml and its trace `captured`.
class Laboratory {
public:
    explicit Laboratory(std::string_view yaml, const Capture& capture = random_capture(4, 4, 600))
        : file_(folder.write("exp.yaml", "trace: captured\n" + std::string(yaml))) {
        trace = write_trace(folder, "captured", capture);
    }
    Report run(const Progress& progress = ignore) const { return oscar::run(load_experiment(file_, {}), progress); }
    template <class Error = ConfigError>
    std::string error(const std::vector<std::string>& overrides = {}, const Progress& progress = ignore) const {
        return testing::error_of<Error>(folder, [&] { oscar::run(load_experiment(file_, overrides), progress); });
    }
    testing::TemporaryFolder folder;
    std::filesystem::path trace;

private:
    std::filesystem::path file_;
};

}   // namespace oscar::test
