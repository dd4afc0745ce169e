// The DMA module by itself, bound to our memory and to others. Seeds are printed.
#include "models/machine/node/dma_module.hpp"

#include <gtest/gtest.h>

#include "models/machine/node/gpu_memory.hpp"
#include "tests/machine/support.hpp"

namespace oscar {

using namespace literals;

namespace {

/// Notes what it is asked, and answers as it is told.
struct NotedMemory final : MemoryModule {
    struct Request {
        tlm::tlm_command command;
        std::uint64_t address;
        unsigned length;
        friend bool operator==(const Request&, const Request&) = default;
    };
    std::vector<Request> requests;
    std::vector<Time> latencies;   ///< of the requests in turn; none: 10 ns
    tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;
    tlm::tlm_phase phase_of_answer = tlm::BEGIN_REQ;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;

    explicit NotedMemory(const char* name) : MemoryModule(name) {
        socket_.register_nb_transport_fw(this, &NotedMemory::transport);
    }
    tlm::tlm_target_socket<>& socket() override { return socket_; }

private:
    tlm::tlm_sync_enum transport(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const Time latency = requests.size() < latencies.size() ? latencies[requests.size()] : 10_ns;
        delay += sc_core::sc_time::from_value(static_cast<std::uint64_t>(latency.ps));
        requests.push_back({p.get_command(), p.get_address(), p.get_data_length()});
        p.set_response_status(status);
        phase = phase_of_answer;
        return answer;
    }
    tlm_utils::simple_target_socket<NotedMemory> socket_{"socket"};
};

constexpr GpuParams four_bytes_a_ns{.dma_bandwidth = 32_Gbps, .dma_latency = 10_ns};

struct BoundToNotedMemory : ::testing::Test {
    DmaModule dma{"dma", four_bytes_a_ns, DmaModule::Grain::transactions};
    NotedMemory memory{"memory"};
    BoundToNotedMemory() { dma.socket.bind(memory.socket()); }
};

TEST_F(BoundToNotedMemory, ADmaMovesEachBlockByATransactionWithAddressesInARow) {
    EventRuns there;
    dma.read({}, 2, 40_B, there);
    dma.read({}, 8_B);
    dma.write(EventRun{{}}, 1, 40_B);
    using Request = NotedMemory::Request;
    EXPECT_EQ(memory.requests, (std::vector<Request>{{tlm::TLM_READ_COMMAND, 0, 40},
                                                     {tlm::TLM_READ_COMMAND, 40, 40},
                                                     {tlm::TLM_READ_COMMAND, 80, 8},
                                                     {tlm::TLM_WRITE_COMMAND, 0, 40}}));
    dma.begin(false);
    dma.read({}, 8_B);
    EXPECT_EQ(memory.requests.back(), (Request{tlm::TLM_READ_COMMAND, 0, 8}));
}

TEST_F(BoundToNotedMemory, TheMemorysLatencyDecidesAndTheChannelGoesOn) {
    memory.latencies = {100_ns, 1_ns};
    EventRuns there;
    dma.read({}, 3, 40_B, there);
    EXPECT_EQ(there[0].at, 110_ns);   // 10 ns on the channel
    EXPECT_EQ(there[0].path.dma_ps, 10'000);
    EXPECT_EQ(there[0].path.latency_ps, 100'000);
    EXPECT_EQ(there[1].at, 21_ns);   // overtakes the first
    EXPECT_EQ(there[2].at, 40_ns);
}

TEST_F(BoundToNotedMemory, AnAnswerWithAPhaseOfResponseIsOneToo) {
    memory.answer = tlm::TLM_UPDATED;
    memory.phase_of_answer = tlm::BEGIN_RESP;
    EXPECT_EQ(dma.read({}, 40_B).at, 20_ns);
}

TEST_F(BoundToNotedMemory, AMemoryThatAnswersLaterOrWithAnErrorIsRefusedByName) {
    memory.answer = tlm::TLM_ACCEPTED;
    try {
        dma.read({}, 40_B);
        FAIL() << "accepted";
    } catch (const std::logic_error& error) {
        EXPECT_STREQ(error.what(), "dma: the memory does not answer in the call of the request");
    }
    memory.answer = tlm::TLM_COMPLETED;
    memory.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    EXPECT_THROW(dma.write(EventRun{{}}, 1, 40_B), std::runtime_error);
}

TEST(ADma, TakesTheSameTimesByTransactionsAsByTheEventCore) {
    constexpr GpuParams gpu{.dma_bandwidth = 504_Gbps, .dma_latency = 700_ns};
    DmaModule each("each", gpu, DmaModule::Grain::transactions), other("core", gpu, DmaModule::Grain::event_core);
    GpuMemory first("first", gpu), second("second", gpu);
    each.socket.bind(first.socket());
    other.socket.bind(second.socket());
    Dma& core = other.server();
    test::Draws draw(11);
    for (int round = 0; round < 300; ++round) {
        SCOPED_TRACE("seed 11, round " + std::to_string(round));
        if (round % 20 == 0) each.begin(false), core.begin(false);
        const TimedEvent now{draw.up_to(20_us)};
        const Bytes size{draw.number(1, 70'000)};
        const std::uint32_t count = draw.number(1, 6);
        EventRuns a, b;
        each.read(now, count, size, a);
        core.read(now, count, size, b);
        for (std::uint32_t i = 0; i < count; ++i) {
            ASSERT_EQ(a[i].at, b[i].at);
            ASSERT_EQ(a[i].path, b[i].path);
        }
        const EventRun ready{now, draw.number(1, 5), draw.up_to(3_us)};
        ASSERT_EQ(each.write(ready, count, size).at, core.write(ready, count, size).at);
        PipelinedUnit unit(1_GHz), same(1_GHz);
        const Cycles work = draw.number(1, 2000);
        ASSERT_EQ(each.write(unit.serve(now, count, work, 3), size).at,
                  core.write(same.serve(now, count, work, 3), size).at);
    }
}

}   // namespace
}   // namespace oscar
