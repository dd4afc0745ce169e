#include "sim/run/exit_status.hpp"

#include <exception>
#include <new>

#include "models/job/job.hpp"
#include "models/network/grid/router_network.hpp"
#include "models/network/transport/livelock.hpp"
#include "sim/config/error.hpp"

namespace oscar {

Failure failure_in_flight() {
    try {
        throw;
    } catch (const InputError& error) {
        return {wrong_input, error.what()};
    } catch (const Deadlock& error) {
        return {cannot_finish, error.what()};
    } catch (const RouterDeadlock& error) {
        return {cannot_finish, error.what()};
    } catch (const Livelock& error) {
        return {cannot_finish, error.what()};
    } catch (const std::bad_alloc&) {
        return {other_failure,
                "the memory is used up; choose fewer ranks or values, fidelity: message or packet, or payload: "
                "size_only or synthetic, or run fewer processes at a time"};
    } catch (const std::exception& error) {
        return {other_failure, error.what()};
    }
}

}   // namespace oscar
