#include "models/compress/lossy/quantised_wire.hpp"

#include <utility>

namespace oscar {}   // namespace oscar
