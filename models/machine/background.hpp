// Traffic of other hosts, behind the same ports as the ranks of a job.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/core/slots.hpp"
#include "models/job/background_use.hpp"
#include "models/network/event/fabric.hpp"
#include "models/network/params/network_params.hpp"
#include "models/network/traffic/background_pattern.hpp"
#include "models/nic/wire/flow_table.hpp"
#include "models/nic/wire/packet_name.hpp"

namespace oscar {

/// Each sender's messages arrive by a Poisson process and join one queue of its first link, which they leave in order
/// and which takes turns with the queues of the rank. Messages that arrive until a job's end are sent and stay on the
/// network until they are delivered; the statistics end with the job. (docs/nic.md)
/// Times are integers that follow from the seed, the sender and the number of the message: neither the fidelity nor
/// other traffic changes the offered load.
class Background {
public:
    /// `routes` and `fabric` must outlive it. Precondition: !find_problem(params, ranks), params.load > 0.
    Background(const BackgroundParams& params, const NetworkParams& network, const Routes& routes, Fabric& fabric);

    /// True if a message of this tag is background traffic and not a step's (models/nic/wire/packet_name.hpp).
    static bool owns(std::uint64_t tag) { return (tag & names) >= first_name; }
    /// All flows that may send; none where each packet has its own path.
    std::vector<FlowId> flows();

    /// Calls for the first message of each sender; the fabric's client hands its calls to called(), and the arrivals of
    /// what this owns to arrived(). Precondition: nothing is in flight.
    void begin(Time start, std::uint64_t job_seed);
    /// The next message of a sender is due. If the job has not moved for network.stall and expects nothing at a later
    /// time, no more messages arrive: a job that waits for ever is found out when nothing else moves.
    void called(std::uint32_t sender, bool job_pending);
    /// The packets of a message up to this one have been taken; where packets overtake each other, this one alone.
    void arrived(std::uint64_t tag, std::uint32_t sequence);
    /// The job made progress at `at`; the latest such time counts.
    void job_moved(Time at) { job_moved_ = std::max(job_moved_, at); }
    /// The job ends at `end` >= now.
    void end_at(Time end);

    /// The statistics of the job that has ended. Precondition: nothing is in flight. Throws Livelock if the job moved
    /// again after it had been given up: its times are then not those under the load.
    BackgroundUse use() const;
    /// The sender and the receiver of the message.
    std::pair<Rank, Rank> ends_of(std::uint64_t tag) const;

private:
    static constexpr std::uint64_t names = (std::uint64_t{1} << 34) - 1;
    static constexpr std::uint64_t first_name = std::uint64_t{packet_kinds} << 32;   ///< after the names of all steps

    struct Sender {
        Rank rank;
        Time serialization;       ///< of a message, on its fastest link
        std::uint64_t key = 0;    ///< of its random numbers in this job
        std::uint64_t next = 0;   ///< number of the message that comes next
    };
    struct Message {
        Rank from, to;
        Time since;
        std::uint32_t packets_left = 0;
    };
    void send(const Sender& sender);
    FabricMessage packets_of(std::uint32_t number) const;
    Time within(const Spans& spans) const;

    BackgroundParams params_;
    Bytes packet_, header_;
    Time stall_;
    Fabric& fabric_;
    FlowTable flows_;
    BackgroundReceivers receivers_;
    std::vector<Sender> senders_;
    Slots<Message> messages_;
    Time start_, end_;
    Time job_moved_;         ///< as far as is known
    bool gave_up_ = false;   ///< before the job ended
    BackgroundUse use_;
};

}   // namespace oscar
