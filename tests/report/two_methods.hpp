// Results made by hand.
#pragma once

#include <cstdint>

#include "sim/report/report.hpp"

namespace oscar::test {

inline IterationResult result(std::int64_t ps, std::uint64_t payload) {
    IterationResult r;
    r.allreduce_ps = ps;
    r.closed_form_ps = ps - 1;
    r.gpu_kernel_ps = ps / 10;
    r.payload_bytes = payload;
    r.resent_messages = 1;
    r.resent_bytes = payload / 10;
    r.values = 100;
    r.sums_match_reference = true;
    return r;
}

inline Report two_methods() {
    Report report;
    report.experiment = "e";
    report.config = nlohmann::ordered_json::parse(R"({"ranks": 2, "quantiser": {"kind": "max", "bits": 8}, "collective":
        {"kind": "ring", "issue": "lock_step", "slices": 1}, "chunks": {"kind": "equal"}, "network": {"topology": {"kind": "star"},
        "link": {"bandwidth": "1Gbps", "propagation": "1ns"}}, "engine": {"lanes": 1, "clock": "1GHz"}, "fidelity": "packet"})");
    report.methods = {summarise("slow", {result(3'000'000, 50)}), summarise("fast", {result(1'500'000, 20)})};
    add_speedups(report.methods);
    return report;
}

}   // namespace oscar::test
