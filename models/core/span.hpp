// Spans of simulated time.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/units.hpp"

namespace oscar {

/// A span of simulated time [begin, end).
struct Span {
    Time begin, end;
    friend bool operator==(Span, Span) = default;
};

/// Appends a span to spans in order of begin, joining it to the last where they touch.
inline void append(std::vector<Span>& spans, Span span) {
    if (!spans.empty() && spans.back().end >= span.begin) spans.back().end = std::max(spans.back().end, span.end);
    else spans.push_back(span);
}

}   // namespace oscar
