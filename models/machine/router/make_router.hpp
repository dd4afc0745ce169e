// Factory of the routers of a router machine, by which a user's own router takes the place of the supplied one.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "models/machine/router/linked_router.hpp"

namespace oscar {

/// Makes the module of a router of the grid, with this name, in the hierarchy of the module under construction.
using MakeRouter = std::function<std::unique_ptr<LinkedRouter>(const std::string& name, const RouterGridParams& params,
                                                               RouterId router)>;

/// The supplied router: models/machine/router/router_module.hpp.
std::unique_ptr<LinkedRouter> make_router(const std::string& name, const RouterGridParams& params, RouterId router);

}   // namespace oscar
