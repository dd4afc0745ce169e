// The credits of one channel of a link, as its sender knows them.
#pragma once

#include "models/network/event/fabric.hpp"
#include "models/network/event/fifo.hpp"

namespace oscar {

/// Buffer bytes that a sender may fill: those it has, and those that it will have, each from a time on.
class Credits {
public:
    explicit Credits(Bytes buffer) : free_(buffer) {}

    /// The time from which on `size` bytes are free: the distant past if they are now, Fabric::never if announced ones
    /// do not suffice.
    Time when(Bytes size) const {
        Bytes sum = free_;
        Time at{};
        for (std::size_t i = 0; sum < size; ++i) {
            if (i == returning_.size()) return Fabric::never;
            sum += returning_[i].size;
            at = returning_[i].at;
        }
        return at;
    }
    /// Precondition: when(size) <= now.
    void take(Bytes size, Time now) {
        settle(now);
        free_ -= size;
    }
    /// Announces that `size` bytes will be free from `at` on; calls need not be in the order of `at`.
    void give_back(Bytes size, Time at) {
        returning_.push_back({at, size});
        for (std::size_t i = returning_.size() - 1; i > 0 && returning_[i].at < returning_[i - 1].at; --i)
            std::swap(returning_[i], returning_[i - 1]);
    }
    /// The bytes that are free at `now`, with those announced for `now` or earlier.
    Bytes free_at(Time now) const {
        Bytes sum = free_;
        for (std::size_t i = 0; i < returning_.size() && returning_[i].at <= now; ++i) sum += returning_[i].size;
        return sum;
    }

private:
    struct Returning {
        Time at;
        Bytes size;
    };
    void settle(Time now) {
        for (; !returning_.empty() && returning_.front().at <= now; returning_.pop_front())
            free_ += returning_.front().size;
    }

    Bytes free_;
    Fifo<Returning> returning_;   ///< in order of time
};

}   // namespace oscar
