// A SystemC kernel for a part of a test.
#pragma once

#include <memory>
#include <utility>

#include <systemc>

namespace oscar::test {

/// SystemC has one kernel, in which no module can be made once time has begun. A test that makes one network after the
/// other gives each a kernel of its own: a fresh simulation context takes the place of the one that the library uses
/// (Accellera's sc_curr_simcontext), and is there for whoever enters it.
class OwnKernel {
public:
    OwnKernel() : outer_(std::exchange(sc_core::sc_curr_simcontext, nullptr)), own_(sc_core::sc_get_curr_simcontext()) {
        leave();
    }
    ~OwnKernel() { delete own_; }
    OwnKernel(const OwnKernel&) = delete;
    OwnKernel& operator=(const OwnKernel&) = delete;

    /// Does something with this kernel in place.
    template <class Action>
    auto within(Action action) {
        enter();
        struct Leave {
            OwnKernel& kernel;
            ~Leave() { kernel.leave(); }
        } leave{*this};
        return action();
    }

private:
    void enter() { outer_ = std::exchange(sc_core::sc_curr_simcontext, own_); }
    void leave() { sc_core::sc_curr_simcontext = outer_; }

    sc_core::sc_simcontext* outer_;
    sc_core::sc_simcontext* own_;
};

}   // namespace oscar::test
