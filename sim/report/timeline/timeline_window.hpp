// The window of time that a timeline shows.
#pragma once

#include <optional>

#include "models/core/fields.hpp"
#include "models/core/span.hpp"

namespace oscar {

using namespace literals;

struct TimelineWindow {
    Time from;
    std::optional<Time> to;
    static constexpr auto fields() {
        return Entries{
            field("from", &TimelineWindow::from,
                  "begin of the window, as timelines count: from the start of the first phase", 0_ps, 10'000'000_ms),
            field("to", &TimelineWindow::to, "end of the window; none: the end of the collective", 0_ps, 10'000'000_ms),
        };
    }
    /// True if any of the span is shown.
    bool shows(const Span& span) const { return span.end >= from && (!to || span.begin <= *to); }
};

}   // namespace oscar
