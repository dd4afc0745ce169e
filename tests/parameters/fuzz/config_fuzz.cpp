#include "tests/parameters/fuzz/read_configuration.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    oscar::test::reads_configuration({reinterpret_cast<const char*>(data), size});
    return 0;
}
