// The kernels by which a GPU encodes and decodes messages (engine.place: gpu), one after the other.
#pragma once

#include <span>
#include <vector>

#include "models/core/span.hpp"
#include "models/gpu/gpu_params.hpp"
#include "models/timing/critical_path.hpp"

namespace oscar {

/// The time of a call that codes `values` values: that of the table's size, linear in the number of values between two
/// of them; that of the first for fewer, which the launch decides, and at the speed of the last for more. 0 for no
/// values. Precondition: rates are not empty, and ascend in values.
Time coding_time(std::span<const CodingRate> rates, std::uint64_t values);

/// Why nobody can have measured these rates; empty if one can.
std::string find_problem(std::span<const CodingRate> rates);

/// A call has the whole GPU, so that encoding and decoding wait for each other, in the order in which they are asked
/// for. A kernel that decodes adds what it has decoded to the rank's own values: it reads these, and writes sums in the
/// place of the values whose writing is part of its measured speed.
class CodingKernels {
public:
    CodingKernels(const CodingKernelParams& rates, Bandwidth memory) : rates_(rates), memory_(memory) {}

    /// A job begins: the GPU is free.
    void begin() { *this = CodingKernels(rates_, memory_); }
    /// When the bytes of a message of `values` values, which are there at `ready`, are in GPU memory.
    TimedEvent encode(const TimedEvent& ready, std::uint64_t values) {
        return serve(ready, coding_time(rates_.encode, values), encoder_busy_);
    }
    /// When the values of a message are decoded and added, for which `read` bytes of other values are read.
    TimedEvent decode(const TimedEvent& ready, std::uint64_t values, Bytes read) {
        return serve(ready, coding_time(rates_.decode, values) + serialization(read, memory_), decoder_busy_);
    }
    const std::vector<Span>& encoder_busy() const { return encoder_busy_; }
    const std::vector<Span>& decoder_busy() const { return decoder_busy_; }

private:
    TimedEvent serve(const TimedEvent& ready, Time time, std::vector<Span>& busy);

    CodingKernelParams rates_;
    Bandwidth memory_;   ///< that kernels reach
    TimedEvent free_ = {};
    std::vector<Span> encoder_busy_ = {}, decoder_busy_ = {};
};

}   // namespace oscar
