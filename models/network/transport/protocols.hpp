// Family of loss-recovery protocols.
#pragma once

#include <memory>
#include <optional>

#include "models/network/params/reliability_params.hpp"
#include "models/network/transport/protocol.hpp"

namespace oscar {

struct Protocol {
    std::unique_ptr<SendingEnd> sender;
    std::unique_ptr<ReceivingEnd> receiver;
};

/// The time after which a sender of end-to-end repair sends again; none: there is no such repair.
std::optional<Time> timeout_of(const Reliability& reliability);
/// True if losses are repaired from end to end; then receivers answer.
bool is_end_to_end(const Reliability& reliability);

/// The two ends of a flow. Without end-to-end repair a sender waits for nothing, and its receiver takes no more once a
/// packet is lost.
Protocol make_protocol(const Reliability& reliability);

}   // namespace oscar
