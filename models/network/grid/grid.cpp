#include "models/network/grid/grid.hpp"

#include <algorithm>

namespace oscar {

std::string to_text(Port port) {
    constexpr const char* names[router_ports] = {"node", "east", "west", "north", "south"};
    return names[index_of(port)];
}

RouterGrid::RouterGrid(const RouterGridKind& kind, bool dateline)
    : wraps_(std::holds_alternative<RouterTorusParams>(kind.params)) {
    std::visit(
        [&](const auto& params) {
            rows_ = params.rows;
            columns_ = params.columns;
        },
        kind.params);
    classes_ = wraps_ && dateline ? 2 : 1;
    for (std::uint32_t router = 0; router < routers(); ++router) {
        x_.push_back(static_cast<std::uint8_t>(router % columns_));
        y_.push_back(static_cast<std::uint8_t>(router / columns_));
    }
}

std::optional<RouterId> RouterGrid::neighbour(RouterId router, Port port) const {
    if (port == Port::node) return std::nullopt;
    const bool vertical = port == Port::north || port == Port::south;
    const bool forward = port == Port::east || port == Port::north;
    const std::uint32_t length = vertical ? rows_ : columns_, at = vertical ? y_[router] : x_[router];
    if (length == 1 || (!wraps_ && at == (forward ? length - 1 : 0))) return std::nullopt;
    const std::uint32_t next = (at + (forward ? 1 : length - 1)) % length;
    return RouterId{vertical ? next * columns_ + x_[router] : y_[router] * columns_ + next};
}

RouteStep RouterGrid::step(std::uint32_t at, std::uint32_t to, std::uint32_t length, bool entering, bool vertical,
                           std::uint8_t in_class, std::uint8_t coins) const {
    bool forward = to > at;
    std::optional<std::uint8_t> vc_class = std::uint8_t{0};
    if (wraps_) {
        const std::uint32_t ahead = forward ? to - at : to + length - at;
        const bool coin = (coins >> vertical & 1) != 0;
        forward = 2 * ahead < length || (2 * ahead == length && coin);
        if (classes_ == 2) {
            const bool dateline_ahead = forward ? to < at : to > at;
            const bool crossing = at == (forward ? length - 1 : 0);
            if (dateline_ahead) vc_class = crossing;
            else vc_class = entering ? coins >> (2 + vertical) & 1 : in_class;
        }
    }
    const auto port = static_cast<std::uint8_t>(1 + 2 * vertical + !forward);
    return {static_cast<Port>(port), vc_class};
}

RouteStep RouterGrid::route(RouterId router, NodeId to, Port in, std::uint8_t in_class, std::uint8_t coins) const {
    const RouterId last = router_at(to);
    if (x_[router] != x_[last]) return step(x_[router], x_[last], columns_, in == Port::node, false, in_class, coins);
    if (y_[router] != y_[last])
        return step(y_[router], y_[last], rows_, in != Port::north && in != Port::south, true, in_class, coins);
    return {Port::node, std::nullopt};
}

std::uint32_t RouterGrid::distance(std::uint32_t a, std::uint32_t b, std::uint32_t length) const {
    const std::uint32_t direct = a > b ? a - b : b - a;
    return wraps_ ? std::min(direct, length - direct) : direct;
}

std::uint32_t RouterGrid::routers_between(NodeId from, NodeId to) const {
    const RouterId first = router_at(from), last = router_at(to);
    return 1 + distance(x_[first], x_[last], columns_) + distance(y_[first], y_[last], rows_);
}

std::string RouterGrid::name(RouterId router) const {
    return "(" + std::to_string(x_[router]) + ", " + std::to_string(y_[router]) + ")";
}

bool can_deadlock(const RouterGridKind& kind, const InputQueuedParams& params) {
    return params.vcs < RouterGrid(kind).vc_classes();
}

}   // namespace oscar
