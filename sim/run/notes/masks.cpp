#include "sim/run/notes/notes.hpp"

#include <fmt/format.h>

#include "models/core/quantity.hpp"
#include "sim/parameters/nodes.hpp"

namespace oscar {
namespace {

/// Rounded up to KiB, as somebody would write it.
Bytes in_kib(std::uint64_t bytes) { return Bytes{(bytes + 1023) / 1024 * 1024}; }

}   // namespace

void add_mask_notes(const Parameters& p, Report& report) {
    for (const MethodReport& method : report.methods) {
        if (!method.reads_masks) continue;
        const std::string needed = to_text(in_kib(method.mask_memory_bytes * p.scale * gpus_per_nic(p)));
        report.notes.push_back(fmt::format(
            "{}: the mask of its classes needs {} and engine.mask_sram has {}, so DMA reads it with the values; set "
            "engine.mask_sram to {} or more, or let more neighbours share a class, like classes: {{kind: block, block: "
            "64}}",
            method.name, needed, to_text(Bytes{p.engine.mask_sram.count * p.scale}), needed));
    }
}

}   // namespace oscar
