#include "models/machine/timeline.hpp"

#include <algorithm>
#include <utility>

#include "models/machine/base/kernel_time.hpp"
#include "models/machine/base/process_network.hpp"

namespace oscar {
namespace {

/// When another process does something next.
Time others_next() {
    const auto* kernel = sc_core::sc_get_curr_simcontext();
    if (!sc_core::sc_pending_activity(kernel)) return Fabric::never;
    return kernel_now() + from_sc(sc_core::sc_time_to_pending_activity(kernel));
}

}   // namespace

Timeline::Timeline(const sc_core::sc_module_name& name, std::unique_ptr<Fabric> fabric)
    : sc_module(name), Scheduler(*fabric), fabric_(std::move(fabric)) {
    SC_METHOD(run_due);
    sensitive << due_;
    dont_initialize();
    if (auto* network = dynamic_cast<ProcessNetwork*>(fabric_.get())) {
        runs_ahead_ = false;
        network->on_event([this] { wake(); });
    }
}

Timeline::~Timeline() = default;

void Timeline::at(Time time, Stage stage, std::uint32_t order, std::function<void()> action) {
    if (free_actions_.empty()) {
        free_actions_.push_back(static_cast<std::uint32_t>(actions_.size()));
        actions_.emplace_back();
    }
    const std::uint32_t number = free_actions_.back();
    free_actions_.pop_back();
    actions_[number] = std::move(action);
    fabric_->call_at(time, static_cast<std::uint32_t>(stage), order, number, 0);
}

void Timeline::post(Time time, Stage stage, std::uint32_t order, std::function<void()> action) {
    at(time, stage, order, std::move(action));
    wake();
}

void Timeline::call(std::uint32_t number) {
    const auto action = std::exchange(actions_[number], nullptr);
    free_actions_.push_back(number);
    action();
}

void Timeline::run_all() {
    wakes_at_ = kernel_now();
    due_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    if (const auto thrown = std::exchange(failure_, nullptr)) std::rethrow_exception(thrown);
}

std::uint64_t Timeline::simulated_events() const {
    const auto* network = dynamic_cast<const ProcessNetwork*>(fabric_.get());
    return fabric_->events_run() + (network != nullptr ? network->activations() : 0);
}

Time Timeline::rest() const { return std::max({kernel_now(), fabric_->now(), fabric_->settled_at()}); }

/// Asks for an activation when the network's next event is due; without one, when its last one has been.
void Timeline::wake() {
    const Time now = kernel_now();
    const Time next = std::max(fabric_->next_time() == Fabric::never ? fabric_->now() : fabric_->next_time(), now);
    if (next >= wakes_at_) return;
    wakes_at_ = next;
    due_.notify(to_sc(next - now));
}

void Timeline::run_up_to_horizon() {
    for (Time end = horizon(); fabric_->next_time() < end;) {
        fabric_->step();
        if (std::exchange(others_have_work_, false)) end = horizon();
    }
}

Time Timeline::horizon() const {
    const Time instant = kernel_now() + Time{1};
    return runs_ahead_ ? std::max(others_next(), instant) : instant;
}

void Timeline::run_due() {
    wakes_at_ = Fabric::never;
    try {
        run_up_to_horizon();
    } catch (...) {
        return fail(std::current_exception());
    }
    if (fabric_->next_time() < Fabric::never || fabric_->now() > kernel_now()) wake();
    else if (done_ && done_()) sc_core::sc_pause();
}

/// The kernel would turn an exception into an sc_report and lose its type.
void Timeline::fail(std::exception_ptr why) {
    failure_ = std::move(why);
    sc_core::sc_pause();
}

}   // namespace oscar
