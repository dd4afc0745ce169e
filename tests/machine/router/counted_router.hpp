// The supplied router as a user's own, which counts its activations.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/machine/router/router_module.hpp"

namespace oscar::test {

struct CountedRouter : RouterModule {
    std::uint64_t& acts;
    CountedRouter(const sc_core::sc_module_name& name, const RouterGridParams& params, RouterId router,
                  std::uint64_t& counter)
        : RouterModule(name, params, router), acts(counter) {}
    Cycles act(Cycles now) override { return ++acts, RouterModule::act(now); }
};

/// For `make_router` of a machine: routers that all count in `acts`.
inline auto make_counted_router(std::uint64_t& acts) {
    return [&acts](const std::string& name, const RouterGridParams& params, RouterId router) {
        return std::make_unique<CountedRouter>(name.c_str(), params, router, acts);
    };
}

}   // namespace oscar::test
