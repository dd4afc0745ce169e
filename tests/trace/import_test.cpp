#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "sim/trace/import_plan.hpp"
#include "sim/trace/safetensors.hpp"
#include "tests/trace/archive.hpp"
#include "tests/trace/fuzz/read_everything.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::import_test {
namespace {

using testing::npy_file;
using testing::safetensors;
using testing::stored;
using testing::zip;

const std::vector<float> six{1, -2, 3.5F, 0, 1e-30F, 6};
const std::string six_bytes = testing::bytes_of(six);

std::string error_of(const std::string& file, ImportFormat format) {
    try {
        testing::read_everything(std::as_bytes(std::span(file)), format);
        return "no error";
    } catch (const TraceError& error) {
        return error.what();
    }
}
std::string error_of_npz(const std::vector<testing::ZipFile>& files) { return error_of(zip(files), ImportFormat::npz); }
std::string error_of_header(const std::string& header) {
    return error_of(safetensors(header, six_bytes), ImportFormat::safetensors);
}

TEST(Corpus, IsReadWhereItIsGoodAndRefusedWhereItIsBad) {   // runs in the root, as ctest does
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator("tests/trace/corpus")) {
        if (!entry.is_regular_file() || entry.path().extension() == ".py") continue;
        std::ifstream in(entry.path(), std::ios::binary);
        const std::string content{std::istreambuf_iterator<char>(in), {}};
        const std::string kind = entry.path().parent_path().filename();
        const auto format = kind == "npy"   ? ImportFormat::npy
                            : kind == "npz" ? ImportFormat::npz
                                            : ImportFormat::safetensors;
        const bool good = entry.path().filename().string().starts_with("good-");
        EXPECT_EQ(error_of(content, format) == "no error", good) << entry.path() << error_of(content, format);
        for (std::size_t size = 0; size < content.size(); size += 1 + content.size() / 100)
            EXPECT_NE(error_of(content.substr(0, size), format), "no error") << entry.path() << " cut at " << size;
        ++files;
    }
    EXPECT_GE(files, 30U);
}

TEST(NaturalOrder, CountsDigitsAsNumbers) {
    const std::vector<std::string> ascending{"",
                                             "a",
                                             "a0b",
                                             "a1",
                                             "a01",
                                             "a2",
                                             "a10",
                                             "a10b",
                                             "a10c",
                                             "b",
                                             "b99999999999999999999998",
                                             "b99999999999999999999999"};
    for (std::size_t i = 0; i < ascending.size(); ++i)
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            if ((ascending[i] == "a1" && ascending[j] == "a01") || (ascending[i] == "a01" && ascending[j] == "a1"))
                continue;   // equal as numbers: any fixed order
            EXPECT_EQ(natural_less(ascending[i], ascending[j]), i < j) << ascending[i] << " " << ascending[j];
        }
    EXPECT_NE(natural_less("a1", "a01"), natural_less("a01", "a1"));
}

ImportArray array(const std::string& name, std::vector<std::uint64_t> shape) {
    return {name, "f:" + name, std::move(shape), ValueType::f4, {}, 0};
}
std::string plan_error(const std::vector<ImportArray>& arrays) {
    try {
        plan_import(arrays, "f");
        return "no error";
    } catch (const TraceError& error) {
        return error.what();
    }
}

TEST(ImportPlan, TakesEachArrayForAnIterationInNaturalOrder) {
    const ImportPlan plan = plan_import({array("g10", {8, 5}), array("g9", {8, 5})}, "f");
    EXPECT_EQ(plan.ranks, 8U);
    ASSERT_EQ(plan.layers.size(), 1U);
    EXPECT_EQ(plan.layers[0].shape, std::vector<std::uint64_t>{5});
    ASSERT_EQ(plan.iterations.size(), 2U);
    EXPECT_EQ(plan.iterations[0].arrays, std::vector<std::size_t>{1});
    EXPECT_EQ(plan.iterations[0].step, 9U);
    EXPECT_EQ(plan.iterations[1].step, 10U);
}

TEST(ImportPlan, NumbersIterationsItselfWhereNamesDoNot) {
    const ImportPlan plan = plan_import({array("b1", {8, 5}), array("a2", {8, 5}), array("c", {8, 5})}, "f");
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(plan.iterations[i].step, i);
    EXPECT_EQ(plan.iterations[0].arrays[0], 1U);
}

TEST(ImportPlan, TakesIterationSlashLayerForLayers) {
    const ImportPlan plan = plan_import(
        {array("12/conv/w", {8, 2, 3}), array("12/b", {8}), array("3/b", {8}), array("3/conv/w", {8, 2, 3})}, "f");
    ASSERT_EQ(plan.layers.size(), 2U);   // in the order of the first iteration, 3
    EXPECT_EQ(plan.layers[0].name, "b");
    EXPECT_EQ(plan.layers[0].shape, std::vector<std::uint64_t>{1});
    EXPECT_EQ(plan.layers[1].name, "conv/w");
    EXPECT_EQ(plan.layers[1].shape, (std::vector<std::uint64_t>{2, 3}));
    EXPECT_EQ(plan.iterations[0].step, 3U);
    EXPECT_EQ(plan.iterations[0].arrays, (std::vector<std::size_t>{2, 3}));
    EXPECT_EQ(plan.iterations[1].arrays, (std::vector<std::size_t>{1, 0}));
}

TEST(ImportPlan, LeavesOutLayersWithoutValuesWhereThereAreOthers) {
    const ImportPlan plan = plan_import(
        {array("0/none", {8, 0}), array("0/w", {8, 5}), array("1/w", {8, 5}), array("1/none", {8, 0})}, "f");
    ASSERT_EQ(plan.layers.size(), 1U);
    EXPECT_EQ(plan.layers[0].name, "w");
    EXPECT_EQ(plan.iterations[1].arrays, std::vector<std::size_t>{2});
    EXPECT_EQ(plan.left_out, std::vector<std::string>{"none"});
    EXPECT_NE(plan_error({array("0/none", {8, 0})}).find("has shape [8, 0]"), std::string::npos);
}

TEST(ImportPlan, TakesAScalarForOneValueOfOneRank) {
    const ImportPlan plan = plan_import({array("0/scale", {}), array("0/w", {1, 5})}, "f");
    EXPECT_EQ(plan.ranks, 1U);
    EXPECT_EQ(plan.layers[0].shape, std::vector<std::uint64_t>{1});
    EXPECT_EQ(plan_error({array("0/w", {8, 5}), array("0/scale", {})}),
              "f:0/scale: has 1 ranks where the arrays before have 8; save all of them alike");
}

TEST(ImportPlanErrors, NameTheArray) {
    EXPECT_EQ(plan_error({}), "f: holds no array; save at least one of shape [ranks, elements]");
    EXPECT_EQ(plan_error({array("a", {5})}),
              "f:a: has shape [5]; save an array of shape [ranks, elements] for each iteration, or name it "
              "<iteration>/<layer> with shape [ranks, ...]");
    EXPECT_NE(
        plan_error({array("a", {3, 8, 5})}).find("(numpy.savez('gradients.npz', *array) does so of [iterations, "),
        std::string::npos);
    for (const auto& shape : {std::vector<std::uint64_t>{0, 5}, {5, 0}, {1U << 21, 1}})
        EXPECT_NE(plan_error({array("a", shape)}).find("with 1 to 1048576 ranks"), std::string::npos);
    EXPECT_EQ(plan_error({array("a", {8, 5}), array("b", {4, 5})}),
              "f:b: has 4 ranks where the arrays before have 8; save all of them alike");
    EXPECT_EQ(plan_error({array("a", {8, 5}), array("b", {8, 6})}),
              "f:b: has 6 elements where the arrays before have 5; save all of them alike");
    EXPECT_EQ(plan_error({array("0/a", {8, 5}), array("b", {8, 5})}),
              "f:b: is not named <iteration>/<layer> as the other arrays are; name all alike");
    EXPECT_EQ(plan_error({array("0/a", {8, 5}), array("1/b", {8, 5})}),
              "f:1/b: is a layer that the first iteration lacks; save all iterations alike");
    EXPECT_EQ(plan_error({array("0/a", {8, 5}), array("0/b", {8, 5}), array("1/b", {8, 5})}),
              "f:1/b: is of an iteration that lacks layer 'a'; save all alike");
    EXPECT_EQ(plan_error({array("0/a", {8, 5}), array("1/a", {8, 6})}),
              "f:1/a: has shape [6] where the first iteration has [5] after the ranks; save them alike");
    EXPECT_EQ(plan_error({array("0/a", {8, 5}), array("00/a", {8, 5})}),
              "f:00/a: is a layer that its iteration has already; name each once");
}

TEST(Npz, NamesTheArrayThatIsWrong) {
    EXPECT_EQ(error_of_npz({stored("readme.txt", "x")}),
              "file:readme.txt: is no array; write the archive with numpy.savez");
    EXPECT_EQ(error_of_npz({stored("a.npy", npy_file(2, 3, six).substr(0, 140))}),
              "file:a.npy: is cut off: shape [2, 3] takes 24 bytes of values, found 12; save it again");
    EXPECT_EQ(
        error_of_npz({testing::deflated("a.npy", npy_file(2, 3, six) + std::string(100000, '\0'))}),
        "file:a.npy: has bytes after its end: shape [2, 3] takes 24 bytes of values, found 100024; save it again");
    EXPECT_EQ(error_of_npz({stored("a.npy", npy_file(2, 1ULL << 60, six))}).substr(0, 62),
              "file:a.npy: is cut off: shape [2, 1152921504606846976] takes 9");
    std::vector<float> bad = six;
    bad[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(error_of_npz({stored("a.npy", npy_file(2, 3, bad))}),
              "file:a.npy: holds NaN at value 4; capture iterations whose gradients are finite");
    EXPECT_EQ(
        error_of_npz({stored(
            "a.npy", testing::npy_front("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }") + six_bytes)}),
        "file:a.npy: has big-endian dtype '>f4'; save it with astype('<f4')");
    EXPECT_EQ(
        error_of_npz({stored(
            "a.npy", testing::npy_front("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }") + six_bytes)}),
        "file:a.npy: is in Fortran order; save numpy.ascontiguousarray(array)");
}

TEST(Safetensors, GivesTensorsInTheOrderOfTheirValues) {
    const std::string file = safetensors(
        R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[20,24]},"a":{"dtype":"F32","shape":[1,5],"data_offsets":[0,20]}})",
        six_bytes);
    const auto tensors = read_safetensors(std::as_bytes(std::span(file)), "f");
    ASSERT_EQ(tensors.size(), 2U);
    EXPECT_EQ(tensors[0].name, "a");
    EXPECT_EQ(tensors[0].shape, (std::vector<std::uint64_t>{1, 5}));
    EXPECT_EQ(tensors[1].values.size(), 4U);
}

TEST(Safetensors, RefusesAHeaderThatLies) {
    const auto with = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
        return error_of_header(R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                               offsets + "}}");
    };
    const std::string remedy = "; write it with safetensors' save_file";
    EXPECT_EQ(with("F32", "[2,3]", "[0,24]"), "no error");
    EXPECT_EQ(with("F32", "[2,3]", "[0,25]"),
              "file:a: has data_offsets [0, 25], but the file holds 24 bytes of values" + remedy);
    EXPECT_EQ(with("F32", "[2,3]", "[24,0]"),
              "file:a: has data_offsets [24, 0], but the file holds 24 bytes of values" + remedy);
    EXPECT_EQ(with("F32", "[2,3]", "[0,18446744073709551615]").substr(0, 24), "file:a: has data_offsets");
    EXPECT_EQ(with("F32", "[2,3]", "[4,24]"), "file:a: starts at byte 4 of the values, but byte 0 is due" + remedy);
    EXPECT_EQ(with("F32", "[2,3]", "[0,20]"), "file: has 4 bytes after its last tensor" + remedy);
    EXPECT_EQ(with("F32", "[2,3]", "[0]").substr(0, 24), "file:a: has data_offsets");
    EXPECT_EQ(with("F32", "[2,3]", "[-1,24]"),
              "file:a: lacks data_offsets, a list of whole numbers below 2^64" + remedy);
    EXPECT_EQ(with("F32", "[2,3.5]", "[0,24]"), "file:a: lacks shape, a list of whole numbers below 2^64" + remedy);
    EXPECT_EQ(with("F32", "[2,4]", "[0,24]"),
              "file:a: has shape [2, 4], which takes 32 bytes, but its data_offsets hold 24; save it again");
    EXPECT_EQ(with("F32", "[4294967296,4294967296]", "[0,24]"),
              "file:a: has shape [4294967296, 4294967296], more than 2^64 bytes; save it again");
    EXPECT_EQ(with("F64", "[3]", "[0,24]"),
              "file:a: has dtype 'F64'; save it as F32, F16 or BF16, like tensor.float()");
    EXPECT_EQ(error_of_header("[1]"), "file: has a header that is no JSON object" + remedy);
    EXPECT_EQ(error_of_header("{").substr(0, 34), "file: has a header that is no JSON");
    EXPECT_EQ(error_of_header(R"({"a":3})"), "file:a: lacks dtype, a text like F32" + remedy);
    EXPECT_EQ(error_of_header(R"({"a":{"dtype":"F32","shape":[2,3],"shape":[2,3],"data_offsets":[0,24]}})"),
              "file: names 'shape' twice" + remedy);
    EXPECT_EQ(error_of_header(std::string(100000, '[')), "file: has a header with nested tables" + remedy);
}

TEST(Safetensors, RefusesALengthThatLies) {
    EXPECT_EQ(error_of("1234567", ImportFormat::safetensors).substr(0, 29), "file: is cut off after 7 byte");
    EXPECT_EQ(error_of(testing::number(1ULL << 60, 8) + "{}", ImportFormat::safetensors).substr(0, 30),
              "file: is no safetensors file: ");
    EXPECT_EQ(error_of(testing::number(100, 8) + "{}", ImportFormat::safetensors).substr(0, 60),
              "file: is cut off in its header: 108 bytes expected, 10 found");
}

TEST(ImportFormats, AreToldByTheirFirstBytesOrTheirEnding) {
    const auto format = [](const std::string& content, std::string_view name) {
        return import_format(std::as_bytes(std::span(content)), name);
    };
    EXPECT_EQ(format(npy_file(2, 3, six), "a"), ImportFormat::npy);
    EXPECT_EQ(format(zip({}), "a.npz"), ImportFormat::npz);
    EXPECT_EQ(format("PK", "a"), ImportFormat::npz);
    EXPECT_EQ(format("x", "a.safetensors"), ImportFormat::safetensors);
    EXPECT_THROW(format("x", "a.bin"), TraceError);
    for (const char* name : {"a.pt", "a.pth"}) {
        try {
            format("PK", name);
            ADD_FAILURE() << name;
        } catch (const TraceError& error) {
            const std::string said = error.what();
            EXPECT_NE(said.find("is a file of PyTorch; save its tensors"), std::string::npos);
            EXPECT_NE(
                said.find(std::string("torch.load('") + name + "', 'cpu', weights_only=True); numpy.savez('a.npz', "),
                std::string::npos);
        }
    }
}

/// The iterations of arrays of these names.
std::vector<std::uint64_t> steps_of(const std::vector<std::string>& names) {
    std::vector<ImportArray> arrays;
    for (const std::string& name : names) arrays.push_back(array(name, {8, 5}));
    std::vector<std::uint64_t> steps;
    for (const ImportedIteration& iteration : plan_import(arrays, "f").iterations) steps.push_back(iteration.step);
    return steps;
}

TEST(ImportPlan, KeepsTheNumbersOfNamesWhereverTheyBegin) {
    using Steps = std::vector<std::uint64_t>;
    EXPECT_EQ(steps_of({"arr_0", "arr_1", "arr_2"}), (Steps{0, 1, 2}));   // numpy.savez of arrays without names
    EXPECT_EQ(steps_of({"arr_1", "arr_2", "arr_3"}), (Steps{1, 2, 3}));
    EXPECT_EQ(steps_of({"1", "2", "3"}), (Steps{1, 2, 3}));
    EXPECT_EQ(steps_of({"0", "100", "200"}), (Steps{0, 100, 200}));
    EXPECT_EQ(steps_of({"arr_7"}), (Steps{7}));
}

TEST(ImportPlan, NumbersIterationsFromZeroWhereANumberComesTwice) {
    EXPECT_EQ(steps_of({"a_1", "b_1", "c_2"}), (std::vector<std::uint64_t>{0, 1, 2}));
    EXPECT_EQ(steps_of({"gradient"}), (std::vector<std::uint64_t>{0}));
}

TEST(Npz, TakesTheArraysOfSavezForIterationsByTheirNumbers) {
    const std::string file = zip({stored("arr_1.npy", npy_file(2, 3, six)), stored("arr_2.npy", npy_file(2, 3, six))});
    const auto arrays = list_arrays(std::as_bytes(std::span(file)), ImportFormat::npz, "f.npz");
    const ImportPlan plan = plan_import(arrays, "f.npz");
    ASSERT_EQ(plan.iterations.size(), 2U);
    EXPECT_EQ(plan.iterations[0].step, 1U);
    EXPECT_EQ(plan.iterations[1].step, 2U);
}

}   // namespace
}   // namespace oscar::import_test
