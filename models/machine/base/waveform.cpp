#include "models/machine/base/waveform.hpp"

#include <limits>

#include "models/network/params/overrides.hpp"

namespace oscar {

Level* Waveform::level(const std::string& module, const std::string& signal, std::uint64_t initial) {
    const std::string name = module.substr(module.find('.') + 1) + "." + signal;
    if (!matches(params_.signals, name)) return nullptr;
    return &levels_.emplace_back(Named{name, Level(initial)}).level;
}

void Waveform::begin() {
    for (Named& named : levels_) named.level.clear();
}

std::vector<Signal> Waveform::signals(Time origin) const {
    const Time to = params_.to.value_or(Time{std::numeric_limits<std::int64_t>::max()});
    std::vector<Signal> result;
    for (const Named& named : levels_) result.push_back({named.name, named.level.changes(origin, params_.from, to)});
    return result;
}

}   // namespace oscar
