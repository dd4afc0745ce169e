#include "sim/trace/npy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/trace/error.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar {
namespace {

using testing::bytes_of;
using testing::npy_file;
using testing::npy_front;
using testing::TemporaryFolder;

constexpr std::string_view two_by_three = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
const std::vector<float> six{1, -2, 3.5F, 0, 1e-30F, 6};

/// The error of opening a file with these bytes.
std::string error_of(std::string_view content) {
    const TemporaryFolder folder;
    const auto file = folder.write("a.npy", content);
    return testing::error_of<TraceError>(folder, [&] { NpyArray::open(file); });
}
/// The error of opening a file whose header holds this dictionary and six values follow.
std::string error_of_dictionary(std::string_view dictionary) { return error_of(npy_front(dictionary) + bytes_of(six)); }

/// Resident memory of this process in bytes, from Linux's /proc.
std::size_t resident_bytes() {
    std::size_t pages_total = 0, pages_resident = 0;
    std::ifstream("/proc/self/statm") >> pages_total >> pages_resident;
    return pages_resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(NpyArray, gives_rows_after_rows) {
    const TemporaryFolder folder;
    const NpyArray array = NpyArray::open(folder.write("a.npy", npy_file(2, 3, six)));
    EXPECT_EQ(array.rows(), 2U);
    EXPECT_EQ(array.columns(), 3U);
    EXPECT_EQ(array.header().data_offset % 64, 0U);
    EXPECT_EQ(std::vector<float>(array.values().begin(), array.values().end()), six);
}

TEST(NpyArray, reads_versions_one_to_three) {
    for (const int version : {1, 2, 3}) {
        const TemporaryFolder folder;
        const NpyArray array =
            NpyArray::open(folder.write("a.npy", testing::aligned_front(two_by_three, version) + bytes_of(six)));
        EXPECT_EQ(array.values()[2], 3.5F) << version;
    }
    EXPECT_EQ(error_of(npy_front(two_by_three, 4) + bytes_of(six)),
              "a.npy: has .npy version 4; readable are 1 to 3; write it with numpy.save");
}

TEST(NpyArray, copies_values_that_lie_across_words) {
    for (std::size_t padding = 0; padding < 4; ++padding) {
        const TemporaryFolder folder;
        const NpyArray array =
            NpyArray::open(folder.write("a.npy", npy_front(two_by_three, 1, padding) + bytes_of(six)));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.values().data()) % alignof(float), 0U);
        EXPECT_EQ(std::vector<float>(array.values().begin(), array.values().end()), six) << padding;
    }
}

TEST(NpyArray, keeps_its_values_when_it_moves) {
    for (const std::size_t padding : {0U, 1U, 2U, 3U}) {
        const TemporaryFolder folder;
        NpyArray array = NpyArray::open(folder.write("a.npy", npy_front(two_by_three, 1, padding) + bytes_of(six)));
        const std::span<const float> values = array.values();
        const NpyArray moved = std::move(array);
        EXPECT_EQ(moved.values().data(), values.data());
        EXPECT_EQ(values[5], 6);
    }
}

TEST(NpyArray, takes_the_dictionary_in_any_order_and_spacing) {
    EXPECT_EQ(error_of_dictionary("{\"shape\":(2,3),'fortran_order':False , 'descr' : '<f4'}"), "no error");
}

TEST(NpyArray, may_be_empty) {
    EXPECT_EQ(error_of(npy_front("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }")), "no error");
}

TEST(NpyArray, refuses_what_is_no_npy_file) {
    const TemporaryFolder folder;
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(folder.path() / "b.npy"); }),
              "b.npy: no such file; trace.yaml must name files of its folder");
    std::filesystem::create_directory(folder.path() / "c.npy");
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { NpyArray::open(folder.path() / "c.npy"); }),
              "c.npy: is no regular file; an array is a file that numpy.save wrote");
    EXPECT_EQ(error_of(""), "a.npy: is empty; write it with numpy.save");
    EXPECT_EQ(error_of("PK\x03\x04 this is an npz"), "a.npy: is no .npy file; write it with numpy.save");
    EXPECT_EQ(error_of("\x93NUM"), "a.npy: is no .npy file; write it with numpy.save");
}

TEST(NpyArray, refuses_a_header_that_is_cut_off) {
    const std::string front = npy_front(two_by_three);
    EXPECT_EQ(error_of(front.substr(0, 8)), "a.npy: is cut off in its header, after 8 bytes; write it with numpy.save");
    // ten bytes before the dictionary, which has 60 with its line end
    EXPECT_EQ(error_of(front.substr(0, 40)),
              "a.npy: is cut off in its header: 70 bytes expected, 40 found; write it with numpy.save");
    for (std::size_t size = 0; size < front.size(); ++size)
        EXPECT_NE(error_of(front.substr(0, size)), "no error") << size;
}

TEST(NpyArray, refuses_a_header_whose_length_lies) {
    std::string front = npy_front(two_by_three, 2);
    front.replace(8, 4, "\xff\xff\xff\xff");
    EXPECT_EQ(error_of(front),
              "a.npy: is cut off in its header: 4294967307 bytes expected, 72 found; write it with numpy.save");
}

TEST(NpyArray, refuses_a_malformed_dictionary) {
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

TEST(NpyArray, refuses_values_that_are_cut_off_or_too_many) {
    EXPECT_EQ(error_of(npy_file(2, 3, {1, 2, 3, 4, 5})),
              "a.npy: is cut off: shape [2, 3] takes 24 bytes of values, found 20; save it again");
    EXPECT_EQ(error_of(npy_file(2, 3, six) + "x"),
              "a.npy: has bytes after its end: shape [2, 3] takes 24 bytes of values, found 25; save it again");
}

TEST(NpyArray, refuses_other_types_than_little_endian_fp32) {
    const auto with = [](std::string_view dtype) {
        return error_of_dictionary("{'descr': " + std::string(dtype) + ", 'fortran_order': False, 'shape': (2, 3), }");
    };
    EXPECT_EQ(with("'>f4'"), "a.npy: has big-endian dtype '>f4'; save it with astype('<f4')");
    EXPECT_EQ(with("'<f8'"), "a.npy: has dtype '<f8'; save it with astype('<f4')");
    EXPECT_EQ(with("'<f2'"), "a.npy: has dtype '<f2'; save it with astype('<f4')");
    EXPECT_EQ(with("'|O'"), "a.npy: has dtype '|O'; save it with astype('<f4')");
    EXPECT_EQ(with("[('a', '<f4')]"), "a.npy: has a structured dtype; save one fp32 array; write it with numpy.save");
}

TEST(NpyArray, refuses_fortran_order) {
    EXPECT_EQ(error_of_dictionary("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }"),
              "a.npy: is in Fortran order; save numpy.ascontiguousarray(array)");
}

TEST(NpyArray, refuses_other_than_two_dimensions) {
    for (const std::string_view shape : {"()", "(6,)", "(1, 2, 3)"}) {
        const std::string dictionary =
            "{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
        EXPECT_NE(error_of_dictionary(dictionary).find("; save an array of shape [ranks, elements]"),
                  std::string::npos);
    }
    EXPECT_EQ(error_of_dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }"),
              "a.npy: has shape [6]; save an array of shape [ranks, elements]");
}

TEST(NpyArray, refuses_hostile_shapes_without_memory_for_them) {
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

TEST(NpyArray, opens_or_refuses_a_file_with_any_one_byte_changed) {
    const TemporaryFolder folder;
    const std::string good = npy_file(2, 3, six);
    for (std::size_t at = 0; at + bytes_of(six).size() < good.size(); ++at)
        for (const char replacement : {'\0', '\xff', '\'', '}', '9'}) {
            std::string content = good;
            content[at] = replacement;
            const auto file = folder.write("a.npy", content);
            try {
                const NpyArray array = NpyArray::open(file);
                EXPECT_EQ(array.values().size(), 6U);
            } catch (const TraceError&) {
            }
        }
}

TEST(NpyArray, costs_no_memory_before_its_values_are_touched) {
    const TemporaryFolder folder;
    const std::string front =
        testing::aligned_front("{'descr': '<f4', 'fortran_order': False, 'shape': (8, 67108864), }");
    const auto file = folder.write("big.npy", front);
    std::filesystem::resize_file(file, front.size() + (std::uintmax_t{1} << 31));   // 8 * 2^26 * 4 B = 2 GiB of holes
    const std::size_t before = resident_bytes();
    const NpyArray array = NpyArray::open(file);
    EXPECT_EQ(array.values().size(), std::size_t{1} << 29);
    EXPECT_EQ(array.values().back(), 0);
    EXPECT_LT(resident_bytes(), before + (4U << 20));
}

}   // namespace
}   // namespace oscar
