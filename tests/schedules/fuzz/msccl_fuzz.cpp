#include <cstddef>
#include <cstdint>

#include "sim/config/error.hpp"
#include "sim/schedules/msccl_steps.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        oscar::schedule_of(oscar::read_msccl({reinterpret_cast<const char*>(data), size}));
    } catch (const oscar::InputError&) {
    }
    return 0;
}
