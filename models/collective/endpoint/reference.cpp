#include "models/collective/endpoint/reference.hpp"

#include <xxhash.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace oscar {

namespace {

/// A step in flight.
struct Transfer {
    StepId id;
    std::vector<Symbol> symbols = {};   ///< that it carries
    MadeMessage made = {};
    bool forwarded = false, refused = false;
};

using Transfers = std::vector<Transfer>;

/// The transfers of a timestep from each sender, or to each receiver, in the schedule's order.
std::vector<std::vector<Transfer*>> by_rank(const Schedule& schedule, Transfers& transfers, Rank Step::*end) {
    std::map<std::uint32_t, std::vector<Transfer*>> of_rank;
    for (Transfer& transfer : transfers) of_rank[(schedule.steps[transfer.id.value].*end).value].push_back(&transfer);
    std::vector<std::vector<Transfer*>> result;
    result.reserve(of_rank.size());
    for (auto& [rank, own] : of_rank) result.push_back(std::move(own));
    return result;
}

void send(RankState& sender, Transfer& transfer, ReceiverWork work) {
    transfer.symbols = sender.values().outgoing_symbols(transfer.id);
    transfer.forwarded = sender.forwards(transfer.id);
    transfer.made = work == ReceiverWork::learn_only ? sender.make_unseen(transfer.id, transfer.symbols)
                                                     : sender.make(transfer.id, transfer.symbols, {});
}

void deliver(RankState& receiver, const Transfer& transfer, ReceiverWork work) {
    if (work == ReceiverWork::decode_bytes) receiver.receive(transfer.id, transfer.made.message);
    else receiver.take(transfer.id, transfer.made.message, transfer.symbols, transfer.made.counts);
}

void receive(RankState& receiver, Transfer& transfer, ReceiverWork work) try {
    deliver(receiver, transfer, work);
} catch (const TableMismatch&) {
    transfer.refused = true;
}

void add_entropy(StepEntropy& entropy, const Schedule& schedule, std::span<const RankState> rank_states,
                 const Transfers& transfers) {
    for (const Transfer& transfer : transfers) {
        const Step& step = schedule.steps[transfer.id.value];
        const RankState& sender = rank_states[step.from.value];
        const auto classes = sender.classes();
        entropy.add(
            schedule.table_timestep(transfer.id), transfer.symbols,
            classes.empty() ? std::vector<std::uint8_t>{} : sender.values().layout().gather(step.chunk, classes));
    }
}

/// What receivers refused, made again. Precondition: the schedule is free of races.
void resend_refused(const Schedule& schedule, std::span<RankState> rank_states, Transfers& transfers, ReceiverWork work,
                    Resent& resent) {
    for (Transfer& transfer : transfers) {
        if (!transfer.refused) continue;
        const Step& step = schedule.steps[transfer.id.value];
        transfer.made.message = rank_states[step.from.value].resend(transfer.id);
        ++resent.messages;
        resent.bytes += transfer.made.message->size();
        deliver(rank_states[step.to.value], transfer, work);
    }
}

/// The steps from `first` on that are of its timestep, which do not depend on one another.
Transfers timestep_from(const Schedule& schedule, std::uint32_t first) {
    Transfers transfers;
    for (std::uint32_t i = first;
         i < schedule.steps.size() && schedule.steps[i].timestep == schedule.steps[first].timestep; ++i)
        transfers.push_back({StepId{i}});
    return transfers;
}

}   // namespace

Reference run_reference(const Schedule& schedule, std::span<RankState> rank_states, StepEntropy* entropy,
                        ReceiverWork work, const ParallelFor& parallel) {
    Reference run;
    while (run.records.size() < schedule.steps.size()) {
        Transfers transfers = timestep_from(schedule, static_cast<std::uint32_t>(run.records.size()));
        const auto state = [&](const Transfer& transfer, Rank Step::*end) -> RankState& {
            return rank_states[(schedule.steps[transfer.id.value].*end).value];
        };
        const auto of_senders = by_rank(schedule, transfers, &Step::from);
        parallel(of_senders.size(), [&](std::size_t s) {
            for (Transfer* transfer : of_senders[s]) send(state(*transfer, &Step::from), *transfer, work);
        });
        const auto of_receivers = by_rank(schedule, transfers, &Step::to);
        parallel(of_receivers.size() + 1, [&](std::size_t r) {
            if (r < of_receivers.size())
                for (Transfer* transfer : of_receivers[r]) receive(state(*transfer, &Step::to), *transfer, work);
            else if (entropy != nullptr) add_entropy(*entropy, schedule, rank_states, transfers);
        });
        resend_refused(schedule, rank_states, transfers, work, run.resent);
        for (Transfer& transfer : transfers) {
            run.records.push_back(record(transfer.symbols.size(), *transfer.made.message));
            run.forwarded.push_back(transfer.forwarded);
            run.messages.push_back(std::move(transfer.made.message));
            run.sources.push_back(transfer.made.source);
            run.counts.push_back(std::move(transfer.made.counts));
        }
    }
    return run;
}

MessageRecord record(std::uint64_t values, std::span<const std::byte> bytes) {
    return {values, bytes.size(), XXH3_64bits(bytes.data(), bytes.size())};
}

MessageRecord record(std::uint64_t values, std::uint64_t size) { return {values, size, 0}; }

MessageRecord record(std::uint64_t values, const Encoded& message) {
    return message.values ? record(values, message.size()) : record(values, message.bytes);
}

std::vector<Symbol> exact_sum(std::span<const std::vector<Symbol>> codes) {
    constexpr std::size_t tile = 4096;   // stays in the first cache while all ranks are added
    std::vector<Symbol> sum = codes.front();
    for (std::size_t begin = 0; begin < sum.size(); begin += tile) {
        const auto part = std::span(sum).subspan(begin, std::min(tile, sum.size() - begin));
        for (const auto& other : codes.subspan(1))
            std::ranges::transform(part, std::span(other).subspan(begin, part.size()), part.begin(), std::plus{});
    }
    return sum;
}

double imbalance(const Schedule& schedule, const SharedEntries<MessageRecord>& records) {
    struct Round {
        std::uint64_t largest = 0, total = 0, messages = 0;
    };
    std::vector<Round> rounds(schedule.timesteps());
    for (std::size_t i = 0; i < records.size(); ++i) {
        Round& round = rounds[schedule.steps[i].timestep.value];
        round.largest = std::max(round.largest, records[i].bytes);
        round.total += records[i].bytes;
        ++round.messages;
    }
    double largest = 0, mean = 0;
    for (const Round& round : rounds) {
        largest += static_cast<double>(round.largest);
        if (round.messages > 0) mean += static_cast<double>(round.total) / static_cast<double>(round.messages);
    }
    return mean > 0 ? largest / mean : 1;
}

}   // namespace oscar
