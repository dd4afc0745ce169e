#include "sim/config/file_kind.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace oscar {
namespace {

/// Keys that no other kind of file has at its top, and what reads a file with one of them.
struct Telltale {
    std::optional<FileKind> kind;   ///< none: no command that takes a YAML file
    std::string_view is, command;
    std::initializer_list<std::string_view> keys;
};

const std::array<Telltale, 6> telltales{{
    {FileKind::sweep, "a sweep", "oscar-sim sweep {}", {"axes"}},
    {FileKind::traffic, "a study of routers", "oscar-sim traffic {}", {"traffic"}},
    {FileKind::predict, "a prediction", "oscar-sim predict {}", {"predictor"}},
    {std::nullopt, "a trace", "oscar-sim trace info with its folder", {"format"}},
    {std::nullopt, "a training", "scripts/train {}", {"workload"}},
    {FileKind::run, "an experiment", "oscar-sim run {}", {"trace", "payload", "iterations", "network", "methods"}},
}};

/// True if NCCL's tuner chooses in an experiment.
bool is_tuned_by_nccl(const ConfigNode& root) {
    const ConfigNode collective = root.child("collective");
    return root.find("tuner") != nullptr || collective.text == "nccl" || collective.child("kind").text == "nccl";
}

/// True if `reader` reads files of `kind`: predict reads experiments of a tuner, too.
bool reads(FileKind reader, const std::optional<FileKind>& kind, const ConfigNode& root) {
    const bool is_tuned = is_tuned_by_nccl(root);
    return kind == reader || (reader == FileKind::predict && kind == FileKind::run && is_tuned);
}

}   // namespace

void require_file_kind(const ConfigNode& root, FileKind kind) {
    for (const Telltale& telltale : telltales)
        for (const std::string_view key : telltale.keys) {
            if (reads(kind, telltale.kind, root)) continue;
            if (const ConfigNode* entry = root.find(key))
                entry->fail_at_key(fmt::format("belongs to {}; use {}", telltale.is,
                                               fmt::format(fmt::runtime(telltale.command), root.location.source)));
        }
}

}   // namespace oscar
