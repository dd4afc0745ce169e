// What a fuzzer, and the test of its corpus, does with the bytes of a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/trace/error.hpp"
#include "sim/trace/import_plan.hpp"

namespace oscar::testing {

/// Lists the arrays, plans an import, and reads the values of arrays below a mebibyte. TraceError: the file is refused.
inline void read_everything(std::span<const std::byte> file, ImportFormat format) {
    const std::vector<ImportArray> arrays = list_arrays(file, format, "file");
    for (const ImportArray& array : arrays) {
        std::uint64_t due = 0, total = 1;
        for (const std::uint64_t size : array.shape) total *= size;
        if (total > 1U << 18) continue;
        read_values(array, [&](std::uint64_t first, std::span<const float> values) {
            if (first != due) __builtin_trap();
            due += values.size();
        });
        if (due != total) __builtin_trap();
    }
    const ImportPlan plan = plan_import(arrays, "file");
    for (const ImportedIteration& iteration : plan.iterations)
        if (iteration.arrays.size() != plan.layers.size()) __builtin_trap();
}

/// For LLVMFuzzerTestOneInput: any exception but TraceError is a defect.
inline int fuzz(const std::uint8_t* data, std::size_t size, ImportFormat format) {
    try {
        read_everything(std::as_bytes(std::span(data, size)), format);
    } catch (const TraceError&) {
    }
    return 0;
}

}   // namespace oscar::testing
