// Protocols by which kernels of GPUs move the bytes of a message.
#pragma once

#include <array>
#include <cstdint>

#include "models/core/fields.hpp"

namespace oscar {

/// NCCL's protocols for moving bytes. A flag beside each datum saves the wait for a fence, and costs bandwidth.
enum class NcclProtocol : std::uint8_t { ll, ll128, simple };
constexpr auto choices(NcclProtocol) {
    return std::array{Choice{"LL", NcclProtocol::ll, "4 bytes of data, 4 of flag: a quarter of the bandwidth"},
                      Choice{"LL128", NcclProtocol::ll128, "120 bytes of data, 8 of flag: 0.92 of the bandwidth"},
                      Choice{"Simple", NcclProtocol::simple, "whole buffers with fences: all of the bandwidth"}};
}

}   // namespace oscar
