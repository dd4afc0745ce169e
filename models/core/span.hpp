// Spans of simulated time that are appended one after the other.
#pragma once

#include <algorithm>
#include <vector>

#include "models/core/spans.hpp"

namespace oscar {

/// Appends a span to spans in order of begin, joining it to the last where they touch.
inline void append(std::vector<Span>& spans, Span span) {
    if (!spans.empty() && spans.back().end >= span.begin) spans.back().end = std::max(spans.back().end, span.end);
    else spans.push_back(span);
}

/// Spans that are appended, the last one beside what describes it: thousands of logs that are written in turn would
/// otherwise each miss the caches for it.
class SpanLog {
public:
    /// Joins it to the last if it begins in that or where that ends; one that begins before the last stands alone.
    void append(Span span) {
        if (any_ && span.begin >= last_.begin && last_.end >= span.begin) {
            last_.end = std::max(last_.end, span.end);
            return;
        }
        if (any_) before_.push_back(last_);
        last_ = span;
        any_ = true;
    }
    /// In order of appending.
    Spans all() const {
        Spans spans = before_;
        if (any_) spans.push_back(last_);
        return spans;
    }
    void clear() {   ///< forgets all spans
        before_.clear();
        any_ = false;
    }

private:
    Span last_;
    bool any_ = false;
    Spans before_;
};

}   // namespace oscar
