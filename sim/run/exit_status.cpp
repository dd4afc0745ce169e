#include "sim/run/exit_status.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "models/job/job.hpp"
#include "models/network/grid/router_network.hpp"
#include "models/network/transport/livelock.hpp"
#include "sim/config/error.hpp"

namespace oscar {
namespace {

constexpr std::string_view no_memory =
    "the memory is used up; choose fewer ranks or values, fidelity: message or packet, or payload: size_only or "
    "synthetic, or run fewer processes at a time";

}   // namespace

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
        return {other_failure, std::string(no_memory)};
    } catch (const std::exception& error) {
        // SystemC reports so that it found no memory for the stack on which a simulation runs.
        const bool no_stack = std::string_view(error.what()).find("(E518)") != std::string_view::npos;
        return {other_failure, no_stack ? std::string(no_memory) : error.what()};
    }
}

}   // namespace oscar
