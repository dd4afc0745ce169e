// A verilated module with its clock, and access to the bits of its wide ports.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <verilated.h>
#ifdef OSCAR_RTL_TRACE
#include <cstdlib>
#include <string>

#include <verilated_vcd_c.h>
#endif

namespace oscar {

#ifdef OSCAR_RTL_TRACE
/// The ports of the first module of a class in a program, in the file <class>.vcd of $OSCAR_RTL_TRACE_FOLDER: so many
/// cycles as scripts/synthesise reads.
template <class Module>
class Recording {
public:
    Recording(VerilatedContext& context, Module& module) {
        static bool taken = false;
        const char* folder = std::getenv("OSCAR_RTL_TRACE_FOLDER");
        if (folder == nullptr || taken) return;
        taken = true;
        context.traceEverOn(true);
        file_ = std::make_unique<VerilatedVcdC>();
        module.trace(file_.get(), 1);   // one level: the ports
        file_->open((std::string(folder) + "/" + module.modelName() + ".vcd").c_str());
    }
    ~Recording() {
        if (file_) file_->close();
    }
    void moment() {
        if (file_ && time_ < 2 * 1024) file_->dump(time_++);
    }

private:
    std::unique_ptr<VerilatedVcdC> file_;
    std::uint64_t time_ = 0;
};
#else
template <class Module>
class Recording {
public:
    Recording(VerilatedContext&, Module&) {}
    void moment() {}
};
#endif

/// A verilated module that has an input `clk`.
template <class Module>
class Clocked {
public:
    Clocked()
        : context_(std::make_unique<VerilatedContext>()),
          module_(std::make_unique<Module>(context_.get())),
          recording_(*context_, *module_) {
        settle();
    }
    Module* operator->() { return module_.get(); }

    /// Outputs follow inputs that have changed since, before the next edge.
    void settle() {
        module_->clk = 0;
        module_->eval();
    }
    /// A rising edge with the inputs as they are; outputs that depend on registers alone are then those of the next
    /// cycle.
    void tick() {
        settle();
        recording_.moment();
        module_->clk = 1;
        module_->eval();
        recording_.moment();
        ++cycles_;
        settle();
    }
    /// An edge with the input `rst` high.
    void reset() {
        module_->rst = 1;
        tick();
        module_->rst = 0;
    }
    /// Rising edges so far.
    std::uint64_t cycles() const { return cycles_; }

private:
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Module> module_;
    Recording<Module> recording_;
    std::uint64_t cycles_ = 0;
};

/// Sets `count` <= 32 bits of a port of up to 64 bits, from bit `first` on.
template <std::unsigned_integral Port>
void set_bits(Port& port, std::size_t first, std::size_t count, std::uint32_t value) {
    const std::uint64_t mask = ((std::uint64_t{1} << count) - 1) << first;
    port = static_cast<Port>((port & ~mask) | (std::uint64_t{value} << first & mask));
}
/// `count` <= 32 bits of a port of more than 64 bits, from bit `first` on.
template <std::size_t words>
std::uint32_t bits(const VlWide<words>& port, std::size_t first, std::size_t count) {
    const std::size_t word = first / 32;
    std::uint64_t value = port[word];
    if (word + 1 < words) value |= std::uint64_t{port[word + 1]} << 32;
    return static_cast<std::uint32_t>(value >> first % 32 & ((std::uint64_t{1} << count) - 1));
}
/// Sets `count` <= 32 bits of such a port.
template <std::size_t words>
void set_bits(VlWide<words>& port, std::size_t first, std::size_t count, std::uint32_t value) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t bit = first + i;
        port[bit / 32] = (port[bit / 32] & ~(1u << bit % 32)) | (value >> i & 1) << bit % 32;
    }
}

}   // namespace oscar
