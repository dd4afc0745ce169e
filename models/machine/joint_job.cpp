#include "models/machine/joint_job.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace oscar {

/// The participants of all collectives: a step is of the last one that begins at or before it.
class JointJob::Together final : public MessageSource {
public:
    Together(const std::vector<PlacedCollective>& collectives, const std::vector<std::uint32_t>& first_step)
        : collectives_(collectives), first_step_(first_step) {}

    bool uses_engine() const override { return collectives_.front().source.uses_engine(); }
    bool may_refuse() const override {
        return std::ranges::any_of(collectives_, [](const auto& c) { return c.source.may_refuse(); });
    }
    std::uint64_t values(StepId step) const override { return of(step).values(local(step)); }
    std::shared_ptr<const Encoded> send(StepId step) override { return of(step).send(local(step)); }
    bool forwards(StepId step) const override { return of(step).forwards(local(step)); }
    bool holds_tables_of(StepId step, const Block& block) const override {
        return of(step).holds_tables_of(local(step), block);
    }
    std::shared_ptr<const Encoded> resend(StepId step) override { return of(step).resend(local(step)); }
    std::vector<Block> blocks_in(StepId step, std::span<const std::byte> begin) const override {
        return of(step).blocks_in(local(step), begin);
    }
    std::shared_ptr<const MessageContents> contents(StepId step,
                                                    const std::shared_ptr<const Encoded>& message) const override {
        return of(step).contents(local(step), message);
    }
    MessageRecord receive(StepId step, std::shared_ptr<const Encoded> received) override {
        return of(step).receive(local(step), std::move(received));
    }

private:
    std::size_t number(StepId step) const {
        return static_cast<std::size_t>(std::ranges::upper_bound(first_step_, step.value) - first_step_.begin()) - 1;
    }
    MessageSource& of(StepId step) const { return collectives_[number(step)].source; }
    StepId local(StepId step) const { return {step.value - first_step_[number(step)]}; }

    const std::vector<PlacedCollective>& collectives_;
    const std::vector<std::uint32_t>& first_step_;
};

namespace {

void check(const std::vector<PlacedCollective>& collectives, std::uint32_t ranks) {
    if (collectives.empty()) throw std::invalid_argument("no collective");
    std::vector<bool> taken(ranks);
    const PlacedCollective& first = collectives.front();
    for (const PlacedCollective& collective : collectives) {
        if (collective.plan.element_type != first.plan.element_type || collective.plan.bits != first.plan.bits)
            throw std::invalid_argument("collectives of one job differ in their words");
        if (collective.source.uses_engine() != first.source.uses_engine())
            throw std::invalid_argument("some collectives of a job use the engine, others do not");
        if (collective.plan.schedule.aggregators > 0)
            throw std::invalid_argument("a collective in which switches add runs as a job of its own");
        for (const Step& step : collective.plan.schedule.steps)
            if (std::max(step.from, step.to).value >= collective.ranks.size())
                throw std::invalid_argument("a step of a collective is not between its ranks");
        for (const Rank rank : collective.ranks) {
            if (rank.value >= ranks || taken[rank.value])
                throw std::invalid_argument("rank " + std::to_string(rank.value) + " is none or in two collectives");
            taken[rank.value] = true;
        }
    }
}

/// Per step, what it waits for: its own join, or in lock-step all of the last round with steps.
std::vector<JoinId> joins_of(const PlacedCollective& collective, std::uint32_t first_step, Joins& joins) {
    const Schedule& schedule = collective.plan.schedule;
    std::vector<std::vector<StepId>> sets(collective.issue == Issue::lock_step ? schedule.timesteps()
                                                                               : schedule.joins.size());
    for (std::uint32_t i = 0; i < schedule.steps.size() && collective.issue == Issue::lock_step; ++i)
        sets[schedule.steps[i].timestep.value].push_back({first_step + i});
    for (std::uint32_t j = 0; j < sets.size() && collective.issue == Issue::dependency; ++j)
        for (const StepId step : schedule.joins[JoinId{j}]) sets[j].push_back({first_step + step.value});
    std::vector<JoinId> ids;
    ids.reserve(sets.size());
    for (const auto& set : sets)   // a round without steps is passed at once
        ids.push_back(set.empty() ? (ids.empty() || collective.issue == Issue::dependency ? JoinId{} : ids.back())
                                  : joins.add(set));
    std::vector<JoinId> after;
    for (const Step& step : schedule.steps) {
        const std::uint32_t round = step.timestep.value;
        if (collective.issue == Issue::dependency) after.push_back(ids[step.after.value]);
        else after.push_back(round == 0 ? JoinId{} : ids[round - 1]);
    }
    return after;
}

}   // namespace

JointJob::JointJob(std::vector<PlacedCollective> collectives, std::uint32_t ranks)
    : collectives_(std::move(collectives)) {
    check(collectives_, ranks);
    const PlacedCollective& first = collectives_.front();
    Schedule none;
    none.ranks = ranks;
    plan_ = std::make_unique<Plan>(std::move(none), first.plan.element_type, first.plan.bits);
    std::vector<Time> start(ranks, std::ranges::min_element(collectives_, {}, &PlacedCollective::start)->start);
    for (const PlacedCollective& collective : collectives_) {
        first_step_.push_back(static_cast<std::uint32_t>(plan_->schedule.steps.size()));
        append(collective, *plan_);
        for (const Rank rank : collective.ranks) start[rank.value] = collective.start;
    }
    together_ = std::make_unique<Together>(collectives_, first_step_);
    job_ = std::make_unique<Job>(Job{*plan_, *together_, Issue::dependency, std::move(start)});
}

JointJob::~JointJob() = default;

/// That a step completes what its receiver is to hold depends on the ranks of its collective; of the whole job it
/// stands as a sum of all ranks.
void JointJob::append(const PlacedCollective& collective, Plan& plan) {
    const Plan& own = collective.plan;
    Schedule& schedule = plan.schedule;
    const auto first = static_cast<std::uint32_t>(schedule.steps.size());
    const std::uint32_t first_chunk = schedule.chunks, first_timestep = schedule.timesteps();
    const std::vector<JoinId> after = joins_of(collective, first, schedule.joins);
    const auto moved = [&](StepId step) { return StepId{first + step.value}; };
    for (std::uint32_t i = 0; i < own.schedule.steps.size(); ++i) {
        const Step& step = own.schedule.steps[i];
        schedule.steps.push_back({collective.ranks[step.from.value],
                                  collective.ranks[step.to.value],
                                  {first_chunk + step.chunk.value},
                                  step.op,
                                  {first_timestep + step.timestep.value},
                                  after[i]});
        Contributions kept = own.contributions[i];
        if (own.completes(StepId{i})) kept.held = schedule.ranks;   // else it is less than the ranks of its collective
        plan.contributions.push_back(kept);
        if (const auto base = own.delta_base[i]) plan.delta_base.set(first + i, moved(*base));
        plan.is_delta_base.push_back(own.is_delta_base[i]);
        plan.origin.push_back(moved(own.origin[i]));
        plan.repeated.push_back(own.repeated[i]);
        plan.message_reused.push_back(own.message_reused[i]);
        plan.addition.push_back(own.addition[i]);
    }
    schedule.channels.insert(schedule.channels.end(), own.schedule.channels.begin(), own.schedule.channels.end());
    schedule.chunks += own.schedule.chunks;
    schedule.channels.resize(schedule.chunks);
    plan.final_hops.insert(plan.final_hops.end(), own.final_hops.begin(), own.final_hops.end());
}

std::vector<PlacedOutcome> JointJob::shares_of(const Outcome& outcome) const {
    std::vector<PlacedOutcome> shares;
    for (std::size_t c = 0; c < collectives_.size(); ++c) {
        PlacedOutcome& share = shares.emplace_back();
        share.start = share.finish = collectives_[c].start;
        for (const Rank rank : collectives_[c].ranks)
            share.finish = std::max(share.finish, outcome.ranks[rank.value].finish);
        for (std::size_t i = 0; i < collectives_[c].plan.schedule.steps.size(); ++i) {
            share.finish = std::max(share.finish, outcome.steps[first_step_[c] + i].ready);
            share.wire_bytes += outcome.wire_bytes[first_step_[c] + i];
        }
    }
    return shares;
}

}   // namespace oscar
