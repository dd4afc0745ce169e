// Spans that were noted in any order.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/span.hpp"

namespace oscar {

/// The intervals that they cover: disjoint and not empty, in order; those that touch are one.
inline std::vector<Span> merged(std::vector<Span> spans) {
    if (!std::ranges::is_sorted(spans, {}, &Span::begin)) std::ranges::sort(spans, {}, &Span::begin);
    std::vector<Span> intervals;
    for (const Span span : spans)
        if (span.begin < span.end) append(intervals, span);
    return intervals;
}

}   // namespace oscar
