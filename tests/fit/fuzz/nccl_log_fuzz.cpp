#include <cstddef>
#include <cstdint>

#include "sim/config/error.hpp"
#include "sim/fit/nccl_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        oscar::read_nccl_log({reinterpret_cast<const char*>(data), size});
    } catch (const oscar::InputError&) {
    }
    return 0;
}
