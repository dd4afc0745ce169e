#include "models/machine/timeline.hpp"

#include <algorithm>
#include <utility>

namespace oscar {
namespace {

sc_core::sc_time to_sc(Time time) { return sc_core::sc_time::from_value(static_cast<std::uint64_t>(time.ps)); }
Time from_sc(const sc_core::sc_time& time) { return {static_cast<std::int64_t>(time.value())}; }
Time kernel_now() { return from_sc(sc_core::sc_time_stamp()); }

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
    sensitive << begin_;
    dont_initialize();
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

void Timeline::call(std::uint32_t number) {
    const auto action = std::exchange(actions_[number], nullptr);
    free_actions_.push_back(number);
    action();
}

void Timeline::run_all() {
    begin_.notify(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    if (const auto thrown = std::exchange(failure_, nullptr)) std::rethrow_exception(thrown);
}

Time Timeline::rest() const { return std::max({kernel_now(), fabric_->now(), fabric_->settled_at()}); }

void Timeline::run_before(Time horizon) {
    while (fabric_->next_time() < horizon) fabric_->step();
}

void Timeline::run_due() {
    try {
        run_before(std::max(others_next(), kernel_now() + Time{1}));
    } catch (...) {   // the kernel would turn it into an sc_report and lose its type
        failure_ = std::current_exception();
        return;
    }
    const Time next = fabric_->next_time() == Fabric::never ? fabric_->now() : fabric_->next_time();
    if (next > kernel_now()) next_trigger(to_sc(next - kernel_now()));
}

}   // namespace oscar
