#include "sim/trace/npy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/trace/error.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::npy_test {
namespace {

using testing::bytes_of;
using testing::npy_file;
using testing::npy_front;
using testing::TemporaryFolder;

constexpr std::string_view two_by_three = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const std::vector<float> six_values{1, -2, 3.5F, 0, 1e-30F, 6};

/// The error of opening a file with these bytes.
std::string error_of_file(std::string_view content) {
    const TemporaryFolder folder;
    const auto file = folder.write("a.npy", content);
    return testing::error_of<TraceError>(folder, [&] { NpyArray::open(file); });
}
/// The error of opening a file whose header holds this dictionary and six values follow.
std::string error_of_dictionary(std::string_view dictionary) {
    return error_of_file(npy_front(dictionary) + bytes_of(six_values));
}

/// All values of an array in fp32.
std::vector<float> values_of(const NpyArray& array) {
    std::vector<float> values(array.rows() * array.columns());
    widen(array.bytes(), array.type(), 1, values);
    return values;
}

/// Resident memory of this process in bytes, from Linux's /proc.
std::size_t resident_bytes() {
    std::size_t pages_total = 0, pages_resident = 0;
    std::ifstream("/proc/self/statm") >> pages_total >> pages_resident;
    return pages_resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(NpyArray, GivesRowsAfterRows) {
    const TemporaryFolder folder;
    const NpyArray array = NpyArray::open(folder.write("a.npy", npy_file(2, 3, six_values)));
    EXPECT_EQ(array.rows(), 2U);
    EXPECT_EQ(array.columns(), 3U);
    EXPECT_EQ(array.header().data_offset % 64, 0U);
    EXPECT_TRUE(array.in_place());
    EXPECT_EQ(values_of(array), six_values);
    EXPECT_EQ(array.row(1)[0], 0);
    EXPECT_EQ(array.row(1)[2], 6);
}

TEST(NpyArray, ReadsVersionsOneToThree) {
    for (const int version : {1, 2, 3}) {
        const TemporaryFolder folder;
        const NpyArray array =
            NpyArray::open(folder.write("a.npy", testing::aligned_front(two_by_three, version) + bytes_of(six_values)));
        EXPECT_EQ(values_of(array)[2], 3.5F) << version;
    }
    EXPECT_EQ(error_of_file(npy_front(two_by_three, 4) + bytes_of(six_values)),
              "a.npy: has .npy version 4; readable are 1 to 3; write it with numpy.save");
}

TEST(NpyArray, ShowsValuesInPlaceOnlyWhereTheyLieOnWords) {
    for (std::size_t padding = 0; padding < 4; ++padding) {
        const TemporaryFolder folder;
        const NpyArray array =
            NpyArray::open(folder.write("a.npy", npy_front(two_by_three, 1, padding) + bytes_of(six_values)));
        EXPECT_EQ(array.in_place(), array.header().data_offset % 4 == 0);
        EXPECT_EQ(values_of(array), six_values) << padding;
    }
}

TEST(NpyArray, KeepsItsValuesWhenItMoves) {
    const TemporaryFolder folder;
    NpyArray array = NpyArray::open(folder.write("a.npy", npy_file(2, 3, six_values)));
    const std::span<const float> row = array.row(1);
    const NpyArray moved = std::move(array);
    EXPECT_EQ(moved.row(1).data(), row.data());
    EXPECT_EQ(row[2], 6);
}

TEST(NpyFront, IsWhatTheParserReadsAndAMultipleOf64BytesLong) {
    for (const std::vector<std::uint64_t>& shape :
         {std::vector<std::uint64_t>{}, {5}, {2, 3}, {1048576, 281474976710656}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}) {
        const std::string front = oscar::npy_front("<f2", shape);
        EXPECT_EQ(front.size() % 64, 0U);
        const NpyHeader header = parse_npy_header(std::as_bytes(std::span(front)), "a.npy");
        EXPECT_EQ(header.dtype, "<f2");
        EXPECT_EQ(header.shape, shape);
        EXPECT_EQ(header.data_offset, front.size());
        EXPECT_FALSE(header.fortran_order);
    }
}

TEST(NpyArray, TakesSixteenBitWordsForBf16OnlyIfThatIsSaid) {
    const TemporaryFolder folder;
    const auto with = [&](std::string_view dtype) {
        return folder.write("a.npy", testing::aligned_front("{'descr': '" + std::string(dtype) +
                                                            "', 'fortran_order': False, 'shape': (1, 2), }") +
                                         std::string("\x80\x3f\x00\xc0", 4));   // 0x3f80 is 1, 0xc000 is -2
    };
    for (const std::string_view dtype : {"<V2", "bfloat16"}) {
        EXPECT_EQ(values_of(NpyArray::open(with(dtype))), (std::vector<float>{1, -2})) << dtype;
        EXPECT_EQ(values_of(NpyArray::open(with(dtype), ValueType::bf16)), (std::vector<float>{1, -2})) << dtype;
    }
    for (const std::string_view dtype : {"<u2", "|V2"}) {
        EXPECT_EQ(values_of(NpyArray::open(with(dtype), ValueType::bf16)), (std::vector<float>{1, -2})) << dtype;
        EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(with(dtype)); }),
                  "a.npy: has dtype '" + std::string(dtype) +
                      "', which is bf16 only where trace.yaml says dtype: bf16; write that, or save it with "
                      "astype('<f4')");
    }
    EXPECT_EQ(values_of(NpyArray::open(with("<f2"))),
              (std::vector<float>{1.875, -2}));   // 0x3f80: 2^0 * (1 + 896/1024)
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(with("<f2"), ValueType::bf16); }),
              "a.npy: has dtype '<f2', but trace.yaml says dtype: bf16; make them agree");
}

TEST(NpyArray, TakesTheDictionaryInAnyOrderAndSpacing) {
    EXPECT_EQ(error_of_dictionary("{\"shape\":(2,3),'fortran_order':False , 'descr' : '<f4'}"), "no error");
}

TEST(NpyArray, MayBeEmpty) {
    EXPECT_EQ(error_of_file(npy_front("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }")), "no error");
}

TEST(NpyArray, RefusesWhatIsNoNpyFile) {
    const TemporaryFolder folder;
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(folder.path() / "b.npy"); }),
              "b.npy: no such file; trace.yaml must name files of its folder");
    std::filesystem::create_directory(folder.path() / "c.npy");
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(folder.path() / "c.npy"); }),
              "c.npy: is a folder; an array is a file that numpy.save wrote");
    EXPECT_EQ(error_of_file(""), "a.npy: is empty; write it with numpy.save");
    EXPECT_EQ(error_of_file("PK\x03\x04 this is an npz"), "a.npy: is no .npy file; write it with numpy.save");
    EXPECT_EQ(error_of_file("\x93NUM"), "a.npy: is no .npy file; write it with numpy.save");
}

TEST(NpyArray, RefusesAHeaderThatIsCutOff) {
    const std::string front = npy_front(two_by_three);
    EXPECT_EQ(error_of_file(front.substr(0, 8)),
              "a.npy: is cut off in its header, after 8 bytes; write it with numpy.save");
    // ten bytes before the dictionary, which has 60 with its line end
    EXPECT_EQ(error_of_file(front.substr(0, 40)),
              "a.npy: is cut off in its header: 70 bytes expected, 40 found; write it with numpy.save");
    for (std::size_t size = 0; size < front.size(); ++size)
        EXPECT_NE(error_of_file(front.substr(0, size)), "no error") << size;
}

TEST(NpyArray, RefusesAHeaderWhoseLengthLies) {
    std::string front = npy_front(two_by_three, 2);
    front.replace(8, 4, "\xff\xff\xff\xff");
    EXPECT_EQ(error_of_file(front),
              "a.npy: is cut off in its header: 4294967307 bytes expected, 72 found; write it with numpy.save");
}

TEST(NpyArray, RefusesAMalformedDictionary) {
    for (const char* dictionary : {"", "{", "}", "{'descr'}", "{'descr': }", "{'descr': '<f4'}", "{'descr': '<f4}",
                                   "[1]", "{'shape': (2, 3)}", "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}",
                                   "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
                                   "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 1}",
                                   "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x"})
        EXPECT_EQ(error_of_dictionary(dictionary).substr(0, 30), "a.npy: malformed .npy header: ") << dictionary;
    EXPECT_EQ(error_of_dictionary("{'descr': '<f4', 'fortran_order': Falsch}"),
              "a.npy: malformed .npy header: True or False is due before 'Falsch}\\n'; write it with numpy.save");
}

TEST(NpyArray, RefusesValuesThatAreCutOffOrTooMany) {
    EXPECT_EQ(error_of_file(npy_file(2, 3, {1, 2, 3, 4, 5})),
              "a.npy: is cut off: shape [2, 3] takes 24 bytes of values, found 20; save it again");
    EXPECT_EQ(error_of_file(npy_file(2, 3, six_values) + "x"),
              "a.npy: has bytes after its end: shape [2, 3] takes 24 bytes of values, found 25; save it again");
}

TEST(NpyArray, RefusesTypesThatGradientsDoNotHave) {
    const auto with = [](std::string_view dtype) {
        return error_of_dictionary("{'descr': " + std::string(dtype) + ", 'fortran_order': False, 'shape': (2, 3), }");
    };
    EXPECT_EQ(with("'>f4'"), "a.npy: has big-endian dtype '>f4'; save it with astype('<f4')");
    EXPECT_EQ(with("'<f8'"), "a.npy: has dtype '<f8'; save it with astype('<f4')");
    EXPECT_EQ(with("'>f2'"), "a.npy: has big-endian dtype '>f2'; save it with astype('<f4')");
    EXPECT_EQ(with("'|O'"), "a.npy: has dtype '|O'; save it with astype('<f4')");
    EXPECT_EQ(with("[('a', '<f4')]"), "a.npy: has a structured dtype; save one fp32 array; write it with numpy.save");
}

TEST(NpyArray, RefusesFortranOrder) {
    EXPECT_EQ(error_of_dictionary("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"),
              "a.npy: is in Fortran order; save numpy.ascontiguousarray(array)");
}

TEST(NpyArray, RefusesOtherThanTwoDimensions) {
    for (const std::string_view shape : {"()", "(6,)", "(1, 2, 3)"}) {
        const std::string dictionary =
            "{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
        EXPECT_NE(error_of_dictionary(dictionary).find("; save an array of shape [ranks, elements]"),
                  std::string::npos);
    }
    EXPECT_EQ(error_of_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }"),
              "a.npy: has shape [6]; save an array of shape [ranks, elements]");
}

TEST(NpyArray, RefusesHostileShapesWithoutMemoryForThem) {
    const auto with = [](std::string_view shape) {
        return error_of_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }");
    };
    EXPECT_EQ(with("(1, 1152921504606846976)"),   // 2^60 values are 2^62 bytes
              "a.npy: is cut off: shape [1, 1152921504606846976] takes 4611686018427387904 bytes of values, found 24; "
              "save it again");
    EXPECT_EQ(with("(1, 4611686018427387904)"),   // 2^62 values are 2^64 bytes
              "a.npy: has shape [1, 4611686018427387904], more than 2^64 bytes; save it again");
    EXPECT_EQ(with("(4294967296, 4294967296)"),   // 2^64 values
              "a.npy: has shape [4294967296, 4294967296], more than 2^64 bytes; save it again");
    EXPECT_EQ(with("(4294967296, 4294967302)"),   // 2^64 + 6 * 2^32 values
              "a.npy: has shape [4294967296, 4294967302], more than 2^64 bytes; save it again");
    EXPECT_NE(with("(2, 18446744073709551616)").find("a size below 2^64 is due"), std::string::npos);
}

TEST(NpyArray, OpensOrRefusesAFileWithAnyOneByteChanged) {
    const TemporaryFolder folder;
    const std::string good = npy_file(2, 3, six_values);
    for (std::size_t at = 0; at + bytes_of(six_values).size() < good.size(); ++at)
        for (const char replacement : {'\0', '\xff', '\'', '}', '9'}) {
            std::string content = good;
            content[at] = replacement;
            const auto file = folder.write("a.npy", content);
            try {
                const NpyArray array = NpyArray::open(file);
                EXPECT_EQ(array.bytes().size(), 6 * bytes_of(array.type()));
            } catch (const TraceError&) {
            }
        }
}

TEST(NpyArray, CostsNoMemoryBeforeItsValuesAreTouched) {
    const TemporaryFolder folder;
    const std::string front =
        testing::aligned_front("{'descr': '<f4', 'fortran_order': False, 'shape': (8, 335544320), }");
    const auto file = folder.write("big.npy", front);
    std::filesystem::resize_file(file,
                                 front.size() + (std::uintmax_t{10} << 30));   // 8 * 10 * 2^25 * 4 B = 10 GiB of holes
    const std::size_t before = resident_bytes();
    const NpyArray array = NpyArray::open(file);
    EXPECT_EQ(array.bytes().size(), std::size_t{10} << 30);
    EXPECT_EQ(array.row(7).back(), 0);
    EXPECT_LT(resident_bytes(), before + (4U << 20));
}

}   // namespace
}   // namespace oscar::npy_test
