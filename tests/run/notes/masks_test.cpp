// Class masks that engine.mask_sram does not hold: what reports say of them, and defaults that fit.
#include "sim/run/notes/notes.hpp"

#include <gmock/gmock.h>

#include "models/engine/engine_memory_traffic.hpp"
#include "tests/run/laboratory.hpp"
#include "tests/system/support.hpp"

namespace oscar::masks_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// With a method for each of these masks, in bytes, that reads it.
Report report_with(const std::vector<std::uint64_t>& masks) {
    Report report;
    for (const std::uint64_t mask : masks) {
        MethodReport& method = report.methods.emplace_back();
        method.name = "of" + std::to_string(mask);
        method.mask_memory_bytes = mask;
        method.reads_masks = true;
    }
    return report;
}

TEST(MaskNotes, NameTheMethodTheSizeOfItsMaskAndTheMemoryThatHoldsIt) {
    Parameters p;
    p.engine.mask_sram = 64_KiB;
    Report report = report_with({65'536, 65'537});
    report.methods[0].reads_masks = false;
    add_mask_notes(p, report);
    EXPECT_THAT(report.notes,
                ElementsAre("of65537: the mask of its classes needs 65KiB and engine.mask_sram has 64KiB, so DMA reads "
                            "it with the values; set engine.mask_sram to 65KiB or more, or let more neighbours share a "
                            "class, like classes: {kind: block, block: 64}"));
}

TEST(MaskNotes, TellTheSizesOfTheMachineBeforeItWasScaledDown) {
    Parameters p;
    p.scale = 16;
    p.engine.mask_sram = 4_KiB;               // of 64 KiB
    Report report = report_with({153'600});   // 3 bits for each of 409,600 values, which stand for 16 times as many
    add_mask_notes(p, report);
    ASSERT_EQ(report.notes.size(), 1u);
    EXPECT_THAT(report.notes[0], HasSubstr("needs 2400KiB and engine.mask_sram has 64KiB"));
    EXPECT_THAT(report.notes[0], HasSubstr("set engine.mask_sram to 2400KiB or more"));
}

constexpr const char* split_and_plain =
    "ranks: 4\niterations: {first: 1, count: 1}\nmethods: [{kind: asc, name: plain}, {kind: asc, split: context, name: "
    "split}]\n";

TEST(MaskNotes, AreInTheReportOfARunAndItsVerdictOnDmaNamesTheMasks) {
    const Report report = test::Laboratory(std::string(split_and_plain) +
                                           "classes: {kind: magnitude}\nengine: {mask_sram: 224B}\n"
                                           "gpu: {dma_bandwidth: 1Gbps, dma_latency: 0ps}\n")
                              .run();
    // 600 values of 3 bits are 225 bytes.
    const std::string text = test::unbroken_table(report);
    EXPECT_THAT(text, HasSubstr("split: the mask of its classes needs 1KiB and engine.mask_sram has 224B"));
    EXPECT_THAT(text, Not(HasSubstr("plain: the mask")));
    EXPECT_EQ(report.methods[0].bottleneck, "dma");
    EXPECT_EQ(report.methods[1].bottleneck, "dma with class masks");
    EXPECT_THAT(text, ::testing::ContainsRegex("split: [^\n]*limited by dma with class masks .[0-9]+ % of the critical "
                                               "path"));
    EXPECT_THAT(text, Not(::testing::ContainsRegex("plain: [^\n]*class masks")));
}

TEST(MaskNotes, AreNoneWhereTheMemoryHoldsTheMask) {
    const Report report =
        test::Laboratory(std::string(split_and_plain) + "classes: {kind: magnitude}\nengine: {mask_sram: 225B}\n")
            .run();
    EXPECT_THAT(report.notes, Not(::testing::Contains(::testing::HasSubstr("mask"))));
    EXPECT_EQ(report.methods[1].mask_memory_bytes, 225u);
}

/// What the mask of so many values needs with these classes.
Bytes mask_of(const ClassifierKind& classes, std::uint64_t values) {
    const EngineParams engine;
    const auto codec = make_codec(AscParams{}, engine.framing());
    const ValueClasses value_classes{class_count(classes, std::vector<Segment>{{0, 1}}), values_per_class(classes)};
    return engine_reads(engine, test::int8_plan(8), *codec, value_classes, values).mask_memory_needed;
}

TEST(MaskNotes, AreNoneByDefaultForElevenMillionValuesOfWhichAnEntryEachWouldNotFit) {
    constexpr std::uint64_t bucket = 25 * 1024 * 1024 / 4, many = 11'000'000;
    const Parameters p;
    EXPECT_EQ(mask_of(p.classes, bucket), Bytes{bucket / 64 * 3 / 8});   // 3 bits for each 64 values
    EXPECT_LE(mask_of(p.classes, many), p.engine.mask_sram);
    EXPECT_GT(mask_of(ZeroClassesParams{}, bucket), p.engine.mask_sram);   // a bit each
}

}   // namespace
}   // namespace oscar::masks_test
