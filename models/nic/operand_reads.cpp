#include "models/nic/operand_reads.hpp"

namespace oscar {

void OperandReads::begin(RunningJob& job) {
    state_ = {&job, value_bytes(form_, job.job.plan), std::vector<bool>(job.timesteps),
              std::vector<bool>(job.timesteps)};
}

void OperandReads::issued(StepId id, const TimedEvent& now) {
    const Timestep timestep = state_.job->step(id).timestep;
    fetch_tables(timestep.value, now);
    if (!state_.operands_asked[timestep.value]) begin_later(timestep, id, now);
}

void OperandReads::begin_later(Timestep timestep, StepId id, const TimedEvent& now) {
    if (state_.free_begins.empty()) {
        state_.free_begins.push_back(static_cast<std::uint32_t>(state_.begins.size()));
        state_.begins.emplace_back();
    }
    const std::uint32_t number = state_.free_begins.back();
    state_.free_begins.pop_back();
    state_.begins[number] = {timestep, now};
    scheduler_.at(now.at, Stage::timestep, state_.job->order(id), [this, number] {
        state_.free_begins.push_back(number);
        const Begin begin = state_.begins[number];
        begin_timestep(begin.timestep, begin.now);
    });
}

void OperandReads::packet_arrived(StepId id, const TimedEvent& now) {
    begin_timestep(state_.job->step(id).timestep, now);
    if (state_.postponed.erase(id) > 0) fetch_operand(id, now);
}

void OperandReads::begin_timestep(Timestep timestep, const TimedEvent& now) {
    if (state_.operands_asked[timestep.value]) return;
    state_.operands_asked[timestep.value] = true;
    fetch_tables(timestep.value, now);
    const RunningJob& job = *state_.job;
    for (const StepId id : of_timestep(job.schedule(), job.incoming[rank_.value], timestep)) {
        if (job.places.tier(id) == Tier::inside) continue;
        if (job.can_take_in(id)) fetch_operand(id, now);
        else state_.postponed.insert(id);
    }
    if (job.job.engine_reads.prefetch) fetch_tables(timestep.value + 1, now);
}

void OperandReads::fetch_operand(StepId id, const TimedEvent& now) {
    RunningJob& job = *state_.job;
    const Plan& plan = job.job.plan;
    const ChunkId chunk = plan.taken_chunk(id);
    const std::uint64_t values = job.job.source.values(id);
    const bool remainder = plan.delta_base[id.value].has_value(), adds = plan.adds(id);
    const bool shared = adds && !remainder && job.added_again[id.value];
    const bool there =
        job.places.two_tiers() ? adds && !job.places.operand_in_memory(id) : shared && state_.operands.contains(chunk);
    const bool reads = !job.places.staged() && (remainder || (adds && !there));
    const Bytes size = Bytes{reads ? values * operand_bytes(id) : 0} + job.job.engine_reads.mask_of(values);
    TimedEvent operand;
    if (size > 0_B) operand = read(now, size);
    if (reads) operand = operand.after(handed_over(id, now).at - now.at, &CriticalPath::latency_ps);
    if (shared) operand = later(operand, state_.operands.try_emplace(chunk, operand).first->second);
    if (adds || size > 0_B) job.inbound[id].operand = operand;
}

/// When the NIC may read what a step is added to: kernels that have made it tell. The channel is free for others until
/// then.
TimedEvent OperandReads::handed_over(StepId id, const TimedEvent& now) const {
    const RunningJob& job = *state_.job;
    TimedEvent handed = now;
    for (const StepId before : job.places.before(id)) {
        const StepTimes& made = job.outcome.steps[before.value];
        handed =
            later(handed, TimedEvent{job.origin + made.ready, made.path}.after(to_nic_, &CriticalPath::latency_ps));
    }
    return handed;
}

/// Of a value that is added to: the sum of what its rank held before.
std::uint64_t OperandReads::operand_bytes(StepId id) const {
    const Plan& plan = state_.job->job.plan;
    if (!state_.job->places.two_tiers()) return state_.value_bytes.read;
    return sum_bytes(form_, plan, plan.contributions[id.value].held - plan.contributions[id.value].carried);
}

void OperandReads::fetch_tables(std::uint32_t timestep, const TimedEvent& now) {
    if (timestep == state_.tables_asked.size() || state_.tables_asked[timestep]) return;
    state_.tables_asked[timestep] = true;
    const Bytes size = state_.job->job.engine_reads.tables_of(rank_, Timestep{timestep});
    if (size > 0_B) state_.tables_there[Timestep{timestep}] = read(now, size);
}

TimedEvent OperandReads::read(const TimedEvent& now, Bytes size) {
    state_.job->outcome.ranks[rank_.value].dma_bytes += size.count;
    return dma_.read(now, size);
}

TimedEvent OperandReads::tables_there(Timestep timestep) const {
    const auto found = state_.tables_there.find(timestep);
    return found == state_.tables_there.end() ? TimedEvent{} : found->second;
}

}   // namespace oscar
