// A run on a terminal: tables and a sentence per method, with the parts that they are made of.
#pragma once

#include <array>
#include <string>

#include "sim/report/report.hpp"
#include "sim/report/view.hpp"

namespace oscar {

/// No line is longer than the width of the screen, but for names of methods that leave no room, and with View::wide.
/// Precondition: the report has a method, and view.baseline is empty or one.
std::string to_table(const Report& report, const View& view = {});

/// A row per method as nccl-tests prints it, for scripts that read its output: bytes and values of a rank's fp32
/// gradient, microseconds, and GB/s of algorithm and bus. `#wrong` is 0 if the sums are those of the reference, else 1;
/// N/A without values. In place and out of place are the same here.
std::string nccl_table(const Report& report);

/// Experiment, trace and machine, and the notes that a reader must know before using any figure; the costs beside
/// coding where they are to be explained.
std::string headline(const Report& report, const View& view);

/// Steps and their speed-ups; with View::wide also Amdahl's law over the first method, and each bucket. Empty where the
/// experiment has no step.
std::string step_table(const Report& report, const View& view);

/// Per method the mean over the ranks of what each did during the time.
std::string means_over_ranks(const Report& report, const View& view);

/// The closed form of each method's time and how far the simulation is from it.
std::string closed_form_table(const Report& report, const View& view);

/// Energies and areas of methods; empty without a technology.
std::string cost_tables(const Report& report, const View& view);

/// Advice on what would shorten the time, a line for each limiter that a method has.
std::string remedies(const Report& report, const Screen& screen);

/// The meaning of each column that the view shows.
std::string legend(const Report& report, const View& view);

/// The headings in the order of the fields of CriticalPath. `link` is the name of its bottleneck; means over ranks have
/// other headings, for they measure other things.
inline constexpr std::array critical_path_heads{"link us", "engine us", "dma us", "latency us", "wait us"};

}   // namespace oscar
