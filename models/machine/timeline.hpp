// Timeline: the process in which the client of a machine's network is called.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>

#include "models/nic/scheduler.hpp"

namespace oscar {

/// Runs the events of a network and calls at given times, in one process. A network that is no SystemC runs ahead:
/// within one activation all happens that is before anything else that SystemC knows of, whose clock follows. Beside
/// the processes of a ProcessNetwork it does what is due at the time of SystemC's clock, in the first delta cycle of
/// that time.
class Timeline : public sc_core::sc_module, public Scheduler {
public:
    SC_HAS_PROCESS(Timeline);
    Timeline(const sc_core::sc_module_name& name, std::unique_ptr<Fabric> fabric);
    ~Timeline() override;

    void at(Time time, Stage stage, std::uint32_t order, std::function<void()> action) override;
    void post(Time time, Stage stage, std::uint32_t order, std::function<void()> action) override;
    void others_have_work() override { others_have_work_ = true; }
    void fail(std::exception_ptr why) override;
    /// Ends the run once nothing is left to happen here and `done`, although other processes, such as a clock, go on.
    void end_when(std::function<bool()> done) { done_ = std::move(done); }
    /// Does what was asked for with at(), when the network says that it is due.
    void call(std::uint32_t number);
    /// True if anything that was asked for with at() is still to be done.
    bool has_pending_actions() const { return free_actions_.size() < actions_.size(); }

    /// Runs until nothing is left to happen; rethrows what a call threw.
    void run_all();
    /// Events of the network, and activations of its processes, if it has any, so far.
    std::uint64_t simulated_events() const;
    /// The time at which everything has come to rest, and SystemC's clock has been there.
    Time rest() const;

private:
    void run_due();
    void run_up_to_horizon();
    Time horizon() const;
    void wake();

    std::unique_ptr<Fabric> fabric_;
    bool runs_ahead_ = true;
    bool others_have_work_ = false;   ///< since the horizon was found
    std::function<bool()> done_;
    std::vector<std::function<void()>> actions_;
    std::vector<std::uint32_t> free_actions_;
    sc_core::sc_event due_;
    Time wakes_at_ = Fabric::never;
    std::exception_ptr failure_;
};

}   // namespace oscar
