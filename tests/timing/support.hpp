// Helpers for tests that run the SystemC kernel: one such test per process (ctest sees to it).
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "models/hw/link.hpp"
#include "models/hw/output_port.hpp"

namespace oscar::test {

inline constexpr Bytes flit = 64_B;

/// A packet of `payload` bytes without header, from rank 0 to rank `to`.
inline Packet packet(std::uint64_t payload, std::uint32_t sequence = 0, std::uint32_t to = 1) {
    static const std::vector<std::byte> bytes(1 << 20);
    return {Rank{0}, Rank{to}, StepId{0}, sequence, 0, std::span(bytes).first(payload), 0_B, false};
}

/// Takes packets and notes when; frees the buffer `hold` after the tail, or never.
struct NotingSink : PacketSink {
    struct Note {
        std::uint32_t sequence;
        Time head, tail;
    };
    std::optional<Time> hold = Time{};
    std::vector<Note> notes;
    void receive(const Packet& packet, Time tail, Link& link) override {
        notes.push_back({packet.sequence, now(), tail});
        if (hold) link.release(packet.wire(), tail + *hold);
    }
};

/// Calls at given times, from within the simulation.
struct Script {
    Agenda agenda{"script"};
    void at(Time time, std::function<void()> call) { agenda.at(time, std::move(call)); }
    static void run() { sc_core::sc_start(); }
};

}   // namespace oscar::test
