#include "models/nic/wire/packet_faults.hpp"

#include <boost/crc.hpp>

#include "models/core/random.hpp"
#include "models/network/transport/damage.hpp"

namespace oscar {
namespace {

/// That of Ethernet: IEEE 802.3, section 3.2.9.
std::uint32_t crc32(std::span<const std::byte> bytes) {
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

}   // namespace

PacketFaults::PacketFaults(const FaultParams& params, std::uint64_t job_seed)
    : params_(params), seed_(job_seed == 0 ? params.seed : random_at(params.seed, job_seed)) {}

std::uint64_t PacketFaults::stream(Fault fault, PacketKind kind) const {
    return random_at(seed_, fault * packet_kinds + static_cast<std::uint64_t>(kind));
}

bool PacketFaults::hits(double probability, Fault fault, const PacketName& packet, std::uint32_t attempt) const {
    const std::uint64_t index = (std::uint64_t{attempt} << 32) + packet.sequence;
    return probability > 0 &&
           is_damaged({probability, 0, stream(fault, packet.kind)}, packet.step.value, index, Bytes{});
}

bool PacketFaults::passes(const PacketName& packet, std::span<const std::byte> payload, std::uint64_t size) {
    const auto failed = failures_.find(key_of(packet));
    const std::uint32_t attempt = failed == failures_.end() ? 0 : failed->second.count;
    const bool dropped = hits(params_.drop, drop, packet, attempt);
    use_.dropped += dropped;
    const bool flipped = !dropped && size > 0 && hits(params_.flip, flip, packet, attempt);
    if (dropped || (flipped && damages(packet, attempt, payload))) {
        ++failures_[key_of(packet)].count;
        return false;
    }
    if (failed != failures_.end() && !std::exchange(failed->second.repaired, true)) ++use_.repaired;
    return true;
}

/// Flips a bit; true: that is noticed. One of a payload that shows no bytes is, for a CRC notices every single bit.
bool PacketFaults::damages(const PacketName& packet, std::uint32_t attempt, std::span<const std::byte> payload) {
    if (altered_.contains(key_of(packet))) return false;   // it comes once more as it came
    ++use_.flipped;
    std::vector<std::byte> altered = with_flipped_bit(packet, attempt, payload);
    if (params_.check == PacketCheck::crc32 && (payload.empty() || crc32(altered) != crc32(payload))) {
        ++use_.crc_errors;
        return true;
    }
    if (!payload.empty()) altered_[key_of(packet)] = std::move(altered);
    return false;
}

std::vector<std::byte> PacketFaults::with_flipped_bit(const PacketName& packet, std::uint32_t attempt,
                                                      std::span<const std::byte> payload) const {
    std::vector<std::byte> bytes(payload.begin(), payload.end());
    if (bytes.empty()) return bytes;
    const std::uint64_t of_step = random_at(stream(place, packet.kind), packet.step.value);
    const std::uint64_t bit = random_at(of_step, (std::uint64_t{attempt} << 32) + packet.sequence) % (8 * bytes.size());
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    return bytes;
}

std::vector<Delivery> PacketFaults::bring(const Delivery& delivery, std::uint32_t packets) {
    const PacketName packet{delivery.step, delivery.kind, delivery.sequence};
    std::vector<Delivery> now{delivery};
    if (const auto altered = altered_.find(key_of(packet)); altered != altered_.end()) {
        now.front().bytes = altered->second;
        now.front().whole = nullptr;
    }
    if (hits(params_.duplicate, duplicate, packet, 0)) {
        ++use_.duplicated;
        now.push_back(now.front());
    }
    Held& held = held_[key_of(packet).first];
    const bool more_comes = ++held.arrivals < packets;
    if (held.deliveries.empty() && more_comes && hits(params_.reorder, reorder, packet, 0)) {
        ++use_.reordered;
        held.deliveries = std::move(now);
        return {};
    }
    for (Delivery& late : held.deliveries) late.arrival = delivery.arrival;   // its receiver gets it no sooner
    now.insert(now.end(), held.deliveries.begin(), held.deliveries.end());
    held.deliveries.clear();
    if (!more_comes) held_.erase(key_of(packet).first);
    return now;
}

}   // namespace oscar
