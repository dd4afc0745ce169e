// Schedules of GOAL as text.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace oscar::test {

/// Dissemination among n ranks, a power of two: in round k, each tells the rank 2^k further on what it has heard.
inline std::string dissemination_text(std::uint32_t n, const std::string& size = "1b") {
    std::string text = fmt::format("num_ranks {}\n\n", n);
    for (std::uint32_t r = 0; r < n; ++r) {
        text += fmt::format("rank {} {{\n", r);
        std::uint32_t label = 0;
        for (std::uint32_t away = 1; away < n; away *= 2) {
            text += fmt::format("l{}: send {} to {} tag 0\n", ++label, size, (r + away) % n);
            if (label > 1) text += fmt::format("l{} requires l{}\n", label, label - 1);
            text += fmt::format("l{}: recv {} from {} tag 0\n", ++label, size, (r + n - away) % n);
        }
        text += "}\n\n";
    }
    return text;
}

}   // namespace oscar::test
