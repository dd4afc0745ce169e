#include "models/machine/node/dma_module.hpp"

#include <stdexcept>
#include <string>

#include "models/machine/base/kernel_time.hpp"

namespace oscar {

DmaModule::DmaModule(const sc_core::sc_module_name& name, const GpuParams& gpu, Grain grain, Waveform* waveform,
                     PcieSwitch* pcie)
    : sc_module(name),
      socket("socket"),
      grain_(grain),
      core_(make_dma(gpu, pcie, read_latency(gpu), write_latency(gpu))),
      channels_(make_dma(gpu, pcie, Time{}, Time{})),
      read_{tlm::TLM_READ_COMMAND, read_rate(gpu), read_latency(gpu) - gpu.dma_latency,
            level_of(waveform, this->name(), "read_busy")},
      write_{tlm::TLM_WRITE_COMMAND, write_rate(gpu), write_latency(gpu) - gpu.dma_latency,
             level_of(waveform, this->name(), "write_busy")} {
    socket.register_nb_transport_bw(this, &DmaModule::answered_late);
}

void DmaModule::begin(bool noted) {
    channels_->begin(noted);
    read_.address = write_.address = 0;
}

/// The channel, then the memory behind the latency of a switch.
TimedEvent DmaModule::move(Direction& direction, const TimedEvent& ready, Bytes size) {
    const bool reads = direction.command == tlm::TLM_READ_COMMAND;
    const TimedEvent moved = reads ? channels_->read(ready, size) : channels_->write(EventRun{ready}, 1, size);
    if (direction.busy != nullptr) direction.busy->add_busy({moved.at - direction.rate.time_of(size), moved.at});
    tlm::tlm_generic_payload payload;
    payload.set_command(direction.command);
    payload.set_address(direction.address);
    payload.set_data_length(static_cast<unsigned>(size.count));
    payload.set_streaming_width(static_cast<unsigned>(size.count));
    direction.address += size.count;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_sc(moved.at - kernel_now());
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED || (status == tlm::TLM_UPDATED && phase != tlm::BEGIN_RESP))
        throw std::logic_error(std::string(name()) + ": the memory does not answer in the call of the request");
    if (payload.is_response_error())
        throw std::runtime_error(std::string(name()) + ": the memory answers " + payload.get_response_string());
    return moved.until(kernel_now() + from_sc(delay) + direction.latency, &CriticalPath::latency_ps);
}

tlm::tlm_sync_enum DmaModule::answered_late(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    throw std::logic_error(std::string(name()) + ": the memory answers after the call of the request");
}

TimedEvent DmaModule::read(const TimedEvent& now, Bytes size) { return move(read_, now, size); }

void DmaModule::read(const TimedEvent& now, std::uint32_t count, Bytes size, EventRuns& there) {
    for (std::uint32_t i = 0; i < count; ++i) there.push_back({move(read_, now, size)});
}

TimedEvent DmaModule::write(const EventRun& ready, std::uint32_t count, Bytes size) {
    TimedEvent last;
    for (std::uint32_t i = 0; i < ready.count; ++i)
        for (std::uint32_t k = 0; k < count; ++k) last = later(last, move(write_, ready[i], size));
    return last;
}

TimedEvent DmaModule::write(const ServiceBatch& served, Bytes size) {
    TimedEvent last;
    for (std::uint32_t i = 0; i < served.count(); ++i) last = later(last, move(write_, served.done(i), size));
    return last;
}

}   // namespace oscar
