// The pipelined engine and the one that counts cycles, on random blocks. Seeds are printed.
#include "tests/engine/cycle_stepped_engine.hpp"

#include <gtest/gtest.h>

#include <random>

namespace oscar::cycle_stepped_engine_test {
namespace {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}
    std::uint32_t operator()(std::uint32_t least, std::uint32_t most) {
        return std::uniform_int_distribution<std::uint32_t>(least, most)(random_);
    }

private:
    std::mt19937_64 random_;
};

EngineParams random_engine(Draw& draw) {
    EngineParams engine;
    engine.lanes = draw(1, 16);
    engine.clock = Frequency{draw(300'000, 3'000'000)};
    engine.encode_interval = draw(1, 4);
    engine.decode_interval = draw(1, 4);
    engine.encode_loop = draw(1, 6);
    engine.decode_loop = draw(1, 6);
    engine.finish_slots = draw(0, 2);
    engine.encode_latency = draw(0, 30);
    engine.decode_latency = draw(0, 30);
    engine.search = draw(0, 1) == 0 ? RowSearch::flash : RowSearch::binary;
    engine.streams = draw(1, 6);
    engine.min_lane_values = draw(1, 64);
    engine.table_update = draw(0, 1) * draw(1, 100);
    return engine;
}

Block random_block(Draw& draw, const EngineParams& engine) {
    Block block{.values = draw(0, 2'000)};
    const std::uint32_t sub_streams = std::max(1u, engine.framing().sub_streams_for(block.values));
    const std::uint64_t fullest = (block.values + sub_streams - 1) / sub_streams;
    block.work = {.values = block.values,
                  .sub_stream_slots = fullest + draw(0, 3),
                  .searches = draw(0, 1) * fullest,
                  .tables = draw(0, 2)};
    block.mode = static_cast<BlockMode>(draw(0, 2));
    return block;
}

void expect_same(const TimedEvent& a, const TimedEvent& b) {
    EXPECT_EQ(a.at, b.at);
    EXPECT_EQ(a.path, b.path);
}

class BothEngines : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(BothEngines, TakeTheSameTimeForEveryBlockInEveryOrder) {
    Draw draw(GetParam());
    const EngineParams params = random_engine(draw);
    const auto pipelined = make_engine(params);
    const std::unique_ptr<TimedEngine> stepped = std::make_unique<CycleSteppedEngine>(params);
    for (int job = 0; job < 2; ++job) {
        for (TimedEngine* engine : {pipelined.get(), stepped.get()}) engine->begin();
        TimedEvent ready;
        for (int i = 0; i < 40; ++i) {
            ready = ready.after(Time{draw(0, 1) * draw(0, 3'000'000)}, &CriticalPath::wait_ps);
            const Block block = random_block(draw, params);
            const std::uint32_t blocks = draw(1, 3);
            const EventRun run{ready, draw(1, 4), Time{draw(0, 2'000'000)}};
            switch (draw(0, 2)) {
                case 0:
                    expect_same(pipelined->encode(ready, block), stepped->encode(ready, block));
                    break;
                case 1: {
                    const ServiceBatch a = pipelined->decode(ready, blocks, block);
                    const ServiceBatch b = stepped->decode(ready, blocks, block);
                    for (std::uint32_t k = 0; k < blocks; ++k) expect_same(a.done(k), b.done(k));
                    break;
                }
                default:
                    EXPECT_EQ(pipelined->decode_run(run, blocks, block).at, stepped->decode_run(run, blocks, block).at);
                    ready = run.back();
            }
        }
    }
    EXPECT_EQ(pipelined->encoder_busy(), stepped->encoder_busy());
    EXPECT_EQ(pipelined->decoder_busy(), stepped->decoder_busy());
}

INSTANTIATE_TEST_SUITE_P(Seed, BothEngines, ::testing::Range<std::uint64_t>(0, 200));

}   // namespace
}   // namespace oscar::cycle_stepped_engine_test
