#include "models/network/traffic/patterns.hpp"

namespace oscar {

std::string patterns_for(PatternSenders senders) {
    std::string names;
    for_each_kind(traffic_patterns, [&]<class P>(const Kind<P>& kind) {
        if (contains(P::senders, senders)) names += (names.empty() ? "" : ", ") + std::string(kind.name);
    });
    return names;
}

}   // namespace oscar
