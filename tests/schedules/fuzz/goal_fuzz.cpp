#include <cstddef>
#include <cstdint>

#include "sim/config/error.hpp"
#include "sim/schedules/goal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const oscar::GoalSchedule goal = oscar::read_goal({reinterpret_cast<const char*>(data), size});
        oscar::make_schedule(oscar::FlowsParams{{}, goal.flows, goal.computations},
                             goal.ranks);   // what is read can be performed
    } catch (const oscar::InputError&) {
    }
    return 0;
}
