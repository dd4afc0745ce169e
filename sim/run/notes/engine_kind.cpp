#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/config/text.hpp"
#include "sim/run/notes/notes.hpp"

namespace oscar {
namespace {

/// Parameters of the cycles of kind pipelined.
constexpr std::array<std::string_view, 10> of_pipelined{
    "encode_interval", "decode_interval", "encode_loop", "decode_loop",  "finish_slots",
    "encode_latency",  "decode_latency",  "search",      "table_update", "table_load"};

}   // namespace

std::optional<std::string> note_on_engine_kind(const Parameters& p) {
    if (p.engine.kind == EngineKind::pipelined) return std::nullopt;
    std::vector<std::string_view> set;
    const EngineParams defaults;
    for_each_field<EngineParams>([&](const auto& field) {
        const bool differs = !(p.engine.*field.member == defaults.*field.member);
        if (differs && std::ranges::find(of_pipelined, field.key) != of_pipelined.end()) set.push_back(field.key);
    });
    if (set.empty()) return std::nullopt;
    return fmt::format("engine.kind {} has the cycles of the RTL: engine.{} {} not used", to_text(p.engine.kind),
                       fmt::join(set, ", engine."), set.size() == 1 ? "is" : "are");
}

}   // namespace oscar
