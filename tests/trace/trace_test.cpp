#include "sim/trace/trace.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "sim/config/load.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/manifest_hashes.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::trace_test {
namespace {

using namespace literals;
using testing::npy_file;
using testing::TemporaryFolder;

constexpr std::size_t elements = 10;   // of two ranks

constexpr std::string_view manifest = R"(format: 1
name: tiny
model: "two layers: a matrix and its bias"
parameters: 10
data: {name: none, licence: MIT, source: "made by a test"}
optimiser: "SGD"
batch_per_rank: 32
ranks: 2
seed: 1
framework: "none"
values: "fp32"
layers:
  - {name: fc.weight, shape: [2, 3], ready: 1234us}
  - {name: fc.bias, shape: [4], ready: 5us}
iterations:
  - {file: iteration-00000.npy, step: 10, stage: early, loss: 2.5}
  - {file: iteration-00001.npy, step: 11, stage: early, loss: 2.25}
  - {file: iteration-00002.npy, step: 90, stage: late, loss: 0.5}
validation: {metric: test accuracy, early: 0.31, late: 0.87, chance: 0.1}
loss_curve: {step: [0, 50], loss: [2.5, 1]}
)";

/// 0, 1, 2, … plus `start`: rank 0, then rank 1.
std::vector<float> counting(float start) {
    std::vector<float> values(2 * elements);
    std::iota(values.begin(), values.end(), start);
    return values;
}

/// A good trace, which a test may spoil.
class TraceFolder : public TemporaryFolder {
public:
    TraceFolder() {
        write("trace.yaml", manifest);
        for (int i = 0; i < 3; ++i)
            write("iteration-0000" + std::to_string(i) + ".npy",
                  npy_file(2, elements, counting(100.F * static_cast<float>(i))));
    }
    /// Replaces `from` in trace.yaml.
    void edit(std::string_view from, std::string_view to) const {
        std::string text(manifest);
        const std::size_t at = text.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        write("trace.yaml", text.replace(at, from.size(), to));
    }
};

/// The error of opening a trace in whose trace.yaml `from` reads `to`.
std::string error_after_edit(std::string_view from, std::string_view to) {
    const TraceFolder folder;
    folder.edit(from, to);
    return testing::error_of<ConfigError>(folder, [&] { Trace::open(folder.path()); });
}

/// The error of the first iteration if its array holds these bytes.
std::string error_of_array(std::string_view content) {
    const TraceFolder folder;
    folder.write("iteration-00000.npy", content);
    const Trace trace = Trace::open(folder.path());
    EXPECT_NO_THROW(trace.iteration(1));
    return testing::error_of<TraceError>(folder, [&] { trace.iteration(0); });
}

TEST(Trace, TellsWhatTraceYamlSays) {
    const TraceFolder folder;
    const Trace trace = Trace::open(folder.path());
    EXPECT_EQ(trace.manifest().name, "tiny");
    EXPECT_EQ(trace.ranks(), 2U);
    EXPECT_EQ(trace.elements(), 10U);
    EXPECT_EQ(trace.iterations(), 3U);
    EXPECT_EQ(trace.manifest().layers[0].ready, 1'234_us);
    EXPECT_EQ(trace.manifest().iterations[2].stage, "late");
    EXPECT_EQ(trace.manifest().validation.late, 0.87);
    EXPECT_EQ(trace.manifest().loss_curve.step, (std::vector<std::uint64_t>{0, 50}));
    EXPECT_EQ(trace.manifest().data.licence, "MIT");
}

TEST(Trace, PlacesLayersOneAfterTheOther) {
    const TraceFolder folder;
    EXPECT_EQ(Trace::open(folder.path()).layer_offsets(), (std::vector<std::uint64_t>{0, 6, 10}));   // 2 * 3, then 4
}

TEST(Trace, GivesTheGradientOfEachRank) {
    const TraceFolder folder;
    const IterationView view = Trace::open(folder.path()).iteration(2);   // outlives the trace
    EXPECT_EQ(view.ranks(), 2U);
    EXPECT_EQ(view.elements(), elements);
    EXPECT_EQ(view.gradient(Rank{0}).size(), elements);
    EXPECT_EQ(view.gradient(Rank{0})[0], 200);
    EXPECT_EQ(view.gradient(Rank{1})[9], 219);
    EXPECT_THROW(view.gradient(Rank{2}), std::out_of_range);
}

TEST(Trace, AppendsAPartOfAGradientAndNothingElse) {
    const TraceFolder folder;
    const IterationView view = Trace::open(folder.path()).iteration(1);
    std::vector<float> values{-1};
    view.append_to(values, Rank{1}, 3, 4);
    EXPECT_EQ(values, (std::vector<float>{-1, 113, 114, 115, 116}));
    view.append_to(values, Rank{0}, 9, 1);
    EXPECT_EQ(values.back(), 109);
    EXPECT_THROW(view.append_to(values, Rank{2}, 0, 1), std::out_of_range);
}

TEST(Trace, FollowsWhereTheTrainingStepIsTheNext) {
    const TraceFolder folder;
    const Trace trace = Trace::open(folder.path());
    EXPECT_FALSE(trace.follows(0));   // nothing precedes
    EXPECT_TRUE(trace.follows(1));    // steps 10, 11
    EXPECT_FALSE(trace.follows(2));   // steps 11, 90
    EXPECT_THROW(trace.follows(3), std::out_of_range);
    EXPECT_THROW(trace.iteration(3), std::out_of_range);
}

TEST(Trace, OpensWithoutTouchingArrays) {
    const TraceFolder folder;
    std::filesystem::remove(folder.path() / "iteration-00001.npy");
    const Trace trace = Trace::open(folder.path());
    EXPECT_NO_THROW(trace.iteration(0));
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { trace.iteration(1); }),
              "iteration-00001.npy: no such file; trace.yaml must name files of its folder");
}

TEST(TraceHash, IsTheSameForTheSameContents) {
    const TraceFolder a, b;
    const std::string hash = Trace::open(a.path()).hash();
    EXPECT_EQ(hash.size(), 16U);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_EQ(Trace::open(b.path()).hash(), hash);
}

TEST(TraceHash, ChangesWithEveryPart) {
    const TraceFolder a, b, c;
    const std::string hash = Trace::open(a.path()).hash();
    b.edit("seed: 1", "seed: 2");
    EXPECT_NE(Trace::open(b.path()).hash(), hash);
    std::vector<float> values = counting(200);
    values.back() = -values.back();
    c.write("iteration-00002.npy", npy_file(2, elements, values));
    EXPECT_NE(Trace::open(c.path()).hash(), hash);
}

TEST(TraceErrors, NameTheFolderThatIsNone) {
    EXPECT_THROW(Trace::open("no/such/trace"), ConfigError);
    const TemporaryFolder folder;
    EXPECT_EQ(testing::error_of<ConfigError>(folder, [&] { Trace::open(folder.path()); }),
              folder.path().string() +
                  ": holds no trace.yaml; name the folder of a trace, which oscar-sim trace convert "
                  "makes of arrays");
    const auto file = folder.write("file", "");
    EXPECT_EQ(testing::error_of<ConfigError>(folder, [&] { Trace::open(file); }),
              "file: is no folder; name one with a trace.yaml, which oscar-sim trace convert makes of an .npz, .npy or "
              ".safetensors file");
    EXPECT_EQ(testing::error_of<ConfigError>(folder, [&] { Trace::open(folder.path() / "none"); }),
              "none: no such folder; name the folder of a trace, or a shipped one, like lenet-fmnist");
}

TEST(TraceErrors, RefuseAShapeOtherThanThatOfTraceYaml) {
    const std::string said =
        ", but trace.yaml:8:8 says ranks 2 and trace.yaml:4:13 says parameters 10; make them agree";
    EXPECT_EQ(error_of_array(npy_file(4, 5, counting(0))), "iteration-00000.npy: has shape [4, 5]" + said);
    EXPECT_EQ(error_of_array(npy_file(10, 2, counting(0))), "iteration-00000.npy: has shape [10, 2]" + said);
    EXPECT_EQ(error_of_array(npy_file(2, 11, std::vector<float>(22))), "iteration-00000.npy: has shape [2, 11]" + said);
}

TEST(TraceErrors, NameRankAndLayerOfAValueThatIsNotFinite) {
    std::vector<float> values = counting(0);
    values[elements + 7] = std::numeric_limits<float>::quiet_NaN();   // rank 1; layers start at 0 and 6
    EXPECT_EQ(
        error_of_array(npy_file(2, elements, values)),
        "iteration-00000.npy: the gradient of rank 1 is NaN at value 1 of layer fc.bias (value 7 of the gradient); "
        "capture iterations whose gradients are finite");
    values[6] = std::numeric_limits<float>::infinity();   // the first of its layer
    EXPECT_NE(error_of_array(npy_file(2, elements, values)).find("rank 0 is infinite at value 0 of layer fc.bias"),
              std::string::npos);
    values[5] = -std::numeric_limits<float>::infinity();
    EXPECT_EQ(error_of_array(npy_file(2, elements, values)),
              "iteration-00000.npy: the gradient of rank 0 is infinite at value 5 of layer fc.weight (value 5 of the "
              "gradient); capture iterations whose gradients are finite");
}

TEST(TraceErrors, TakeTheLargestFiniteValuesForFinite) {
    std::vector<float> values = counting(0);
    values[0] = std::numeric_limits<float>::max();
    values[1] = std::numeric_limits<float>::lowest();
    values[2] = std::numeric_limits<float>::denorm_min();
    EXPECT_EQ(error_of_array(npy_file(2, elements, values)), "no error");
}

TEST(TraceErrors, PassOnWhatIsWrongWithAnArray) {
    EXPECT_EQ(error_of_array("junk"), "iteration-00000.npy: is no .npy file; write it with numpy.save");
}

TEST(TraceErrors, RefuseAnotherFormatBeforeAnythingElse) {
    EXPECT_EQ(error_after_edit("format: 1\nname:", "format: 3\ntitle:"),
              "trace.yaml:1:9: format: '3' is not readable; this program reads 1 and 2");
    EXPECT_EQ(error_after_edit("format: 1\n", ""),
              "trace.yaml:1:1: format: is missing; write format: 1, or format: 2 with a hash of each array");
}

TEST(TraceErrors, RefuseMissingUnknownAndWrongKeysLikeAnyConfiguration) {
    EXPECT_EQ(error_after_edit("ranks: 2", "rank: 2"), "trace.yaml:1:1: ranks: is missing; write ranks: VALUE");
    EXPECT_EQ(error_after_edit("ranks: 2", "ranks: 0"),
              "trace.yaml:8:8: ranks: 0 is out of range; choose 1 to 1048576");
    EXPECT_EQ(error_after_edit("optimiser", "optimizer").substr(0, 76),
              "trace.yaml:6:1: optimizer: no such parameter (did you mean optimiser?); know");
    EXPECT_EQ(error_after_edit("1234us", "1234"),
              "trace.yaml:13:45: layers.0.ready: '1234' lacks its unit (ps ns us ms s); write it like 500ns");
    EXPECT_EQ(error_after_edit("step: 11, ", ""), "trace.yaml:17:5: iterations.1.step: is missing; write step: VALUE");
    EXPECT_EQ(error_after_edit("name: fc.bias, ", ""), "trace.yaml:14:5: layers.1.name: is missing; write name: VALUE");
    EXPECT_EQ(error_after_edit(manifest, "- 1\n").substr(0, 36), "trace.yaml:1:1: format: is missing; ");
    EXPECT_EQ(error_after_edit(manifest, "format: 1\nparameters: 1\nranks: 1\nlayers: 3\niterations: 4\n"),
              "trace.yaml:4:9: layers: is a single value, but a list is due; write it like [first, second]");
}

TEST(TraceErrors, RefuseLayersThatDoNotAddUp) {
    EXPECT_EQ(error_after_edit("shape: [4]", "shape: [5]"),
              "trace.yaml:13:3: layers: add up to 11 values, but trace.yaml:4:13 says parameters 10; make them equal");
    for (const std::string_view shape : {"[0]", "[4, 0]", "[4294967296, 4294967296]", "[18446744073709551615, 2]"})
        EXPECT_EQ(error_after_edit("shape: [4]", "shape: " + std::string(shape)),
                  "trace.yaml:14:28: layers.1.shape: must have sizes of at least 1 and at most 2^48 values; "
                  "write it like [6, 1, 5, 5]");
}

TEST(TraceErrors, RefuseATraceWithoutIterations) {
    const std::string text(manifest);
    const std::size_t from = text.find("iterations:"), to = text.find("validation:");
    EXPECT_EQ(error_after_edit(text.substr(from, to - from), "iterations: []\n"),
              "trace.yaml:15:13: iterations: holds no iteration; write at least {file: iteration-00000.npy, step: 0}");
}

TEST(TraceErrors, RefuseFilesOutsideTheFolder) {
    for (const std::string_view name : {"../secret.npy", "/etc/passwd", "a/b.npy", "..", ".", "a\\\\b.npy", ""})
        EXPECT_NE(error_after_edit("file: iteration-00001.npy", "file: \"" + std::string(name) + "\"")
                      .find("is no file of this folder; write it like iteration-00000.npy"),
                  std::string::npos)
            << name;
    EXPECT_EQ(
        error_after_edit("file: iteration-00001.npy", "file: ../a.npy"),
        "trace.yaml:17:12: iterations.1.file: '../a.npy' is no file of this folder; write it like iteration-00000.npy");
}

TEST(TraceErrors, RefuseALinkOutOfTheFolderAndTakeOneWithinIt) {
    const TraceFolder folder;
    const TemporaryFolder outside;
    const auto array = folder.path() / "iteration-00001.npy", kept = folder.path() / "kept.npy";
    std::filesystem::rename(array, kept);
    std::filesystem::create_symlink("kept.npy", array);
    EXPECT_EQ(Trace::open(folder.path()).array(1).rows(), 2U);
    std::filesystem::rename(kept, outside.path() / "array.npy");
    std::filesystem::remove(array);
    std::filesystem::create_symlink(outside.path() / "array.npy", array);
    const auto error = [&](const auto& call) { return testing::error_of<TraceError>(folder, call); };
    for (const std::string& found :
         {error([&] { Trace::open(folder.path()).array(1); }), error([&] { Trace::open(folder.path()).hash(); }),
          error([&] { write_hashes(folder.path()); })})
        EXPECT_EQ(found, "iteration-00001.npy: is a link out of the folder, to " +
                             (outside.path() / "array.npy").string() + "; put the file itself there");
    std::filesystem::rename(folder.path() / "trace.yaml", outside.path() / "trace.yaml");
    std::filesystem::create_symlink(outside.path() / "trace.yaml", folder.path() / "trace.yaml");
    EXPECT_NE(error([&] { Trace::open(folder.path()); }).find("trace.yaml: is a link out of the folder"),
              std::string::npos);
}

TEST(TraceErrors, RefuseALossCurveOfUnequalLists) {
    EXPECT_EQ(error_after_edit("loss: [2.5, 1]", "loss: [2.5]"),
              "trace.yaml:20:13: loss_curve: has 2 steps, but 1 losses; give one loss for each step");
}

/// An .npy file of [2, 10] 16-bit words.
std::string words_file(std::string_view dtype, const std::vector<std::uint16_t>& words) {
    return testing::aligned_front("{'descr': '" + std::string(dtype) +
                                  "', 'fortran_order': False, 'shape': (2, 10), }") +
           std::string(reinterpret_cast<const char*>(words.data()), 2 * words.size());
}

TEST(SixteenBitTraces, ShowFp16TimesItsScale) {
    const TraceFolder folder;
    std::vector<std::uint16_t> words(20, 0x3c00);   // 1
    words[13] = 0x0001;                             // 2^-24
    folder.write("iteration-00000.npy", words_file("<f2", words));
    folder.edit("step: 10, stage: early", "step: 10, scale: 0.0009765625, stage: early");   // 2^-10
    const IterationView view = Trace::open(folder.path()).iteration(0);
    const float* const before = view.gradient(Rank{1}).data();
    EXPECT_EQ(view.gradient(Rank{0})[9], 0x1p-10F);
    EXPECT_EQ(view.gradient(Rank{1})[3], 0x1p-34F);
    EXPECT_EQ(view.gradient(Rank{1}).data(), before);   // converted once
    EXPECT_EQ(view.gradient(Rank{1}).size(), elements);
    std::vector<float> part;
    view.append_to(part, Rank{1}, 2, 2);
    EXPECT_EQ(part, (std::vector<float>{0x1p-10F, 0x1p-34F}));
}

TEST(SixteenBitTraces, ShowBf16WhoseBitsNumpySavedAsIntegers) {
    const TraceFolder folder;
    folder.edit("\nlayers:", "\ndtype: bf16\nlayers:");
    std::vector<std::uint16_t> words(20, 0x3f80);   // 1
    words[7] = 0xc040;                              // -3
    folder.write("iteration-00000.npy", words_file("<u2", words));
    const Trace trace = Trace::open(folder.path());
    EXPECT_EQ(trace.iteration(0).gradient(Rank{0})[7], -3);
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { trace.iteration(1); }),
              "iteration-00001.npy: has dtype '<f4', but trace.yaml says dtype: bf16; make them agree");
}

TEST(SixteenBitTraces, NameTheValueThatIsNotFinite) {
    std::vector<std::uint16_t> words(20, 0x3c00);
    words[17] = 0x7c00;
    EXPECT_EQ(error_of_array(words_file("<f2", words)),
              "iteration-00000.npy: the gradient of rank 1 is infinite at value 1 of layer fc.bias (value 7 of the "
              "gradient); capture iterations whose gradients are finite");
    words[17] = 0xffff;
    EXPECT_NE(error_of_array(words_file("<V2", words)).find("rank 1 is NaN at value 1"), std::string::npos);
}

TEST(SixteenBitTraces, TakeAPowerOfTwoForAScaleAndOnlyForFp16) {
    EXPECT_EQ(error_after_edit("step: 10,", "step: 10, scale: 3,"),
              "trace.yaml:16:50: iterations.0.scale: 3 is no power of two; write one, like 0.0009765625 for 2^-10");
    EXPECT_NE(error_after_edit("step: 10,", "step: 10, scale: 1e-40,").find("is out of range; choose"),
              std::string::npos);
    const TraceFolder folder;
    folder.edit("step: 10,", "step: 10, scale: 0.5,");
    const Trace trace = Trace::open(folder.path());
    EXPECT_EQ(testing::error_of<ConfigError>(folder, [&] { trace.iteration(0); }),
              "trace.yaml:16:50: iterations.0.scale: belongs to fp16, but the values of iteration-00000.npy are f4; "
              "leave it out");
}

TEST(Trace, ConvertsValuesThatLieAcrossWords) {
    const TraceFolder folder;
    folder.write("iteration-00000.npy",
                 testing::npy_front("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 10), }", 1, 2) +
                     testing::bytes_of(counting(0)));
    const IterationView view = Trace::open(folder.path()).iteration(0);
    EXPECT_EQ(view.gradient(Rank{1})[9], 19);
}

TEST(ManifestText, ReadsBackAsTheSameManifest) {
    const TraceManifest shipped = Trace::open("traces/lenet-fmnist").manifest();
    const auto again = [](const TraceManifest& m) {
        return read_manifest(parse_config(manifest_text(m), "trace.yaml"));
    };
    EXPECT_EQ(manifest_text(again(shipped)), manifest_text(shipped));
    EXPECT_EQ(again(shipped).layers[3].ready, shipped.layers[3].ready);
    EXPECT_EQ(again(shipped).loss_curve.loss, shipped.loss_curve.loss);
    TraceManifest odd;
    odd.name = "quotes \" \\ : # {x} \t\n \u00e9";
    odd.parameters = 3;
    odd.ranks = 1;
    odd.dtype = ValueType::bf16;
    odd.layers.push_back({"- a: [b]", {3}, Time{1}});
    odd.iterations.push_back({"a b.npy", 7, "", 0, 0x1p-125, "0123456789abcdef"});
    EXPECT_EQ(again(odd).name, odd.name);
    EXPECT_EQ(again(odd).layers[0].name, odd.layers[0].name);
    EXPECT_EQ(again(odd).layers[0].ready, Time{1});
    EXPECT_EQ(again(odd).dtype, ValueType::bf16);
    EXPECT_EQ(again(odd).iterations[0].scale, 0x1p-125);
    EXPECT_EQ(again(odd).iterations[0].hash, "0123456789abcdef");
    EXPECT_EQ(again(odd).format, 2U);
}

}   // namespace
}   // namespace oscar::trace_test
