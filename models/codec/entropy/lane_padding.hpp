// Copies of the streams of all lanes, each followed by zeros, for the vector decoders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/codec/entropy/lane_vector.hpp"

namespace oscar {

/// All streams in one piece of memory, each followed by 32 zero bits.
class PaddedStreams {
public:
    /// The bytes of a stream.
    struct Place {
        std::uint32_t begin, end;
    };

    explicit PaddedStreams(std::span<const LaneInput> lanes) {
        std::size_t size = 0;
        for (const LaneInput& lane : lanes) size += lane.symbols.size() + lane.offsets.size() + 2 * padding;
        bytes_.reserve(size);
        for (const LaneInput& lane : lanes) {
            symbols_.push_back(append(lane.symbols));
            offsets_.push_back(append(lane.offsets));
        }
    }

    const std::byte* bytes() const { return bytes_.data(); }           ///< of all streams; places count from here
    Place symbols(std::size_t lane) const { return symbols_[lane]; }   ///< the lane's symbol stream
    Place offsets(std::size_t lane) const { return offsets_[lane]; }   ///< the lane's offset stream
    /// The first 16 bits of a stream, its first byte highest; bits that it lacks are zero.
    std::uint32_t first_16_bits(Place place) const {
        return static_cast<std::uint32_t>(bytes_[place.begin]) << 8 |
               static_cast<std::uint32_t>(bytes_[place.begin + 1]);
    }

private:
    static constexpr std::size_t padding = 4;

    Place append(std::span<const std::byte> stream) {
        const auto begin = static_cast<std::uint32_t>(bytes_.size());
        bytes_.insert(bytes_.end(), stream.begin(), stream.end());
        const auto end = static_cast<std::uint32_t>(bytes_.size());
        bytes_.resize(bytes_.size() + padding);
        return {begin, end};
    }

    std::vector<std::byte> bytes_;
    std::vector<Place> symbols_, offsets_;
};

}   // namespace oscar
