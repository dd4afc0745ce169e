#include "sim/trace/import_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>
#include <optional>
#include <string>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::uint64_t most_ranks = 1U << 20;

std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) return {};
    return value;
}

/// `<iteration>/<layer>`, taken apart.
struct LayeredName {
    std::uint64_t iteration;
    std::string layer;
};

std::optional<LayeredName> layered_name(std::string_view name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos || slash + 1 == name.size()) return {};
    const std::optional<std::uint64_t> iteration = number(name.substr(0, slash));
    if (!iteration) return {};
    return LayeredName{*iteration, std::string(name.substr(slash + 1))};
}

/// The number of ranks: the first size of the shape, checked against `ranks` unless that is 0.
std::uint32_t ranks_of(const ImportArray& array, std::uint32_t ranks) {
    const std::uint64_t found = array.shape.empty() ? 1 : array.shape[0];   // a scalar: one value of one rank
    if (found == 0 || found > most_ranks || std::count(array.shape.begin(), array.shape.end(), 0U) > 0)
        fail(array.what, fmt::format("has shape {}; save an array of shape [ranks, elements], with 1 to {} ranks",
                                     shape_text(array.shape), most_ranks));
    if (ranks != 0 && found != ranks)
        fail(array.what,
             fmt::format("has {} ranks where the arrays before have {}; save all of them alike", found, ranks));
    return static_cast<std::uint32_t>(found);
}

/// The last run of digits in a name.
std::optional<std::uint64_t> last_number(std::string_view name) {
    const std::size_t end = name.find_last_of(digits);
    if (end == std::string_view::npos) return {};
    const std::size_t before = name.find_last_not_of(digits, end);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    return number(name.substr(start, end + 1 - start));
}

void number_steps(ImportPlan& plan, const std::vector<ImportArray>& arrays) {
    std::vector<std::uint64_t> steps;
    for (const ImportedIteration& iteration : plan.iterations) {
        const auto step = last_number(arrays[iteration.arrays[0]].name);
        const bool ascends = step && (steps.empty() || *step > steps.back());
        if (!ascends) {
            for (std::size_t i = 0; i < plan.iterations.size(); ++i) plan.iterations[i].step = i;
            return;
        }
        steps.push_back(*step);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) plan.iterations[i].step = steps[i];
}

[[noreturn]] void refuse_shape(const ImportArray& array) {
    const char* const stacked = array.shape.size() == 3
                                    ? " (numpy.savez('gradients.npz', *array) does so of [iterations, ranks, elements])"
                                    : "";
    fail(array.what, fmt::format("has shape {}; save an array of shape [ranks, elements] for each iteration{}, or name "
                                 "it <iteration>/<layer> with shape [ranks, ...]",
                                 shape_text(array.shape), stacked));
}

ImportPlan plan_plain(const std::vector<ImportArray>& arrays) {
    ImportPlan plan;
    std::vector<std::size_t> order(arrays.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return natural_less(arrays[a].name, arrays[b].name); });
    for (const std::size_t i : order) {
        const ImportArray& array = arrays[i];
        if (array.shape.size() != 2) refuse_shape(array);
        plan.ranks = ranks_of(array, plan.ranks);
        if (plan.layers.empty()) plan.layers.push_back({"gradient", {array.shape[1]}, {}});
        if (array.shape[1] != plan.layers[0].shape[0])
            fail(array.what, fmt::format("has {} elements where the arrays before have {}; save all of them alike",
                                         array.shape[1], plan.layers[0].shape[0]));
        plan.iterations.push_back({0, {i}});
    }
    number_steps(plan, arrays);
    return plan;
}

/// Position of the layer `name` in the plan; a new layer at its end while the first iteration is read.
std::size_t layer_position(ImportPlan& plan, const ImportArray& array, const std::string& name, bool first) {
    const std::vector<std::uint64_t> rest(array.shape.begin() + (array.shape.empty() ? 0 : 1), array.shape.end());
    const std::vector<std::uint64_t> shape = rest.empty() ? std::vector<std::uint64_t>{1} : rest;
    const auto same = [&](const TraceLayer& layer) { return layer.name == name; };
    const auto found = std::find_if(plan.layers.begin(), plan.layers.end(), same);
    const auto position = static_cast<std::size_t>(found - plan.layers.begin());
    if (found == plan.layers.end()) {
        if (!first) fail(array.what, "is a layer that the first iteration lacks; save all iterations alike");
        plan.layers.push_back({name, shape, {}});
    } else if (first) {
        fail(array.what, "is a layer that its iteration has already; name each once");
    } else if (found->shape != shape) {
        fail(array.what, fmt::format("has shape {} where the first iteration has {} after the ranks; save them alike",
                                     shape_text(shape), shape_text(found->shape)));
    }
    return position;
}

bool holds_nothing(const ImportArray& array) { return std::count(array.shape.begin(), array.shape.end(), 0U) > 0; }

ImportPlan plan_layered(const std::vector<ImportArray>& arrays) {
    ImportPlan plan;
    const bool all_empty = std::all_of(arrays.begin(), arrays.end(), holds_nothing);
    std::map<std::uint64_t, std::vector<std::pair<std::string, std::size_t>>> by_step;
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto name = layered_name(arrays[i].name);
        if (!name) fail(arrays[i].what, "is not named <iteration>/<layer> as the other arrays are; name all alike");
        if (all_empty || !holds_nothing(arrays[i])) by_step[name->iteration].emplace_back(name->layer, i);
        else if (std::find(plan.left_out.begin(), plan.left_out.end(), name->layer) == plan.left_out.end())
            plan.left_out.push_back(name->layer);
    }
    for (const auto& [step, layers] : by_step) {
        const bool first = plan.iterations.empty();
        std::vector<std::optional<std::size_t>> chosen(first ? layers.size() : plan.layers.size());
        for (const auto& [name, i] : layers) {
            plan.ranks = ranks_of(arrays[i], plan.ranks);
            std::optional<std::size_t>& place = chosen[layer_position(plan, arrays[i], name, first)];
            if (place) fail(arrays[i].what, "is a layer that its iteration has already; name each once");
            place = i;
        }
        ImportedIteration iteration{step, {}};
        for (std::size_t l = 0; l < chosen.size(); ++l) {
            if (!chosen[l])
                fail(arrays[layers.front().second].what,
                     fmt::format("is of an iteration that lacks layer {}; save all alike",
                                 in_quotes(plan.layers[l].name)));
            iteration.arrays.push_back(*chosen[l]);
        }
        plan.iterations.push_back(std::move(iteration));
    }
    return plan;
}

}   // namespace

bool natural_less(std::string_view a, std::string_view b) {
    const std::string_view whole_a = a, whole_b = b;
    while (!a.empty() && !b.empty()) {
        const auto digits_a = std::min(a.find_first_not_of(digits), a.size()),
                   digits_b = std::min(b.find_first_not_of(digits), b.size());
        if (digits_a > 0 && digits_b > 0) {   // without leading zeros, the longer number is the larger
            const auto significant = [](std::string_view run) {
                return run.substr(std::min(run.find_first_not_of('0'), run.size()));
            };
            const std::string_view number_a = significant(a.substr(0, digits_a)),
                                   number_b = significant(b.substr(0, digits_b));
            if (number_a.size() != number_b.size()) return number_a.size() < number_b.size();
            if (number_a != number_b) return number_a < number_b;
            a.remove_prefix(digits_a);
            b.remove_prefix(digits_b);
        } else {
            if (a.front() != b.front()) return a.front() < b.front();
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    if (a.empty() != b.empty()) return a.empty();
    return whole_a < whole_b;   // "01" and "1"
}

ImportPlan plan_import(const std::vector<ImportArray>& arrays, std::string_view name) {
    if (arrays.empty()) fail(name, "holds no array; save at least one of shape [ranks, elements]");
    const bool layered = std::any_of(arrays.begin(), arrays.end(),
                                     [](const ImportArray& array) { return layered_name(array.name).has_value(); });
    return layered ? plan_layered(arrays) : plan_plain(arrays);
}

}   // namespace oscar
