#include "sim/commands/version.hpp"

#include <fmt/format.h>

extern const char* const oscar_commit;   // made while building, by commit.cmake

namespace oscar {

std::string version_text() {
    return fmt::format("oscar-sim {}\ncommit {}, compiled by {}, SystemC {}", OSCAR_VERSION, oscar_commit,
                       OSCAR_COMPILER, OSCAR_SYSTEMC_VERSION);
}

}   // namespace oscar
