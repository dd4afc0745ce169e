#include "sim/trace/mapped_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <latch>
#include <thread>
#include <vector>

#include "sim/trace/error.hpp"
#include "sim/trace/mappings.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::mapped_file_test {
namespace {

using testing::TemporaryFolder;

/// Reads the last byte of a file after it has lost most of its bytes; ends the process if that is noticed.
void read_what_is_gone(const std::filesystem::path& path) {
    end_if_a_mapped_file_shrinks(2);
    const MappedFile file(path);
    const auto copy = MappedFile(path);   // another mapping of the same file, which goes again
    std::filesystem::resize_file(path, 10);
    const volatile std::byte last = file.bytes().back();
    static_cast<void>(last);
    _exit(0);
}

TEST(MappedFile, TellsWhichFileBecameShorterWhileItWasRead) {
    const TemporaryFolder folder;
    const auto file = folder.write("a.npy", std::string(100'000, 'x'));
    EXPECT_EXIT(read_what_is_gone(file), ::testing::ExitedWithCode(2),
                "^oscar-sim: .*a.npy: became shorter while it was read; run again when nothing writes to it\n$");
}

/// As read_what_is_gone by four threads at once, while four others map and forget the file over and over.
void read_what_is_gone_by_threads(const std::filesystem::path& path) {
    end_if_a_mapped_file_shrinks(2);
    const MappedFile file(path);
    const std::filesystem::path other = path.parent_path() / "b.npy";
    std::filesystem::copy_file(path, other, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(path, 10);
    std::latch all(8);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            all.arrive_and_wait();
            const volatile std::byte last = file.bytes().back();
            static_cast<void>(last);
        });
        threads.emplace_back([&] {
            all.arrive_and_wait();
            while (true) {
                const std::vector<MappedFile> more = [&] {
                    std::vector<MappedFile> mapped;
                    for (int n = 0; n < 20; ++n) mapped.emplace_back(other);
                    return mapped;
                }();
            }
        });
    }
}

TEST(MappedFile, TellsOnceWhichFileBecameShorterWhileThreadsRead) {
    const TemporaryFolder folder;
    for (int round = 0; round < 20; ++round) {
        const auto file = folder.write("a.npy", std::string(100'000, 'x'));
        ASSERT_EXIT(
            read_what_is_gone_by_threads(file), ::testing::ExitedWithCode(2),
            "^oscar-sim: [^\n]*a.npy: became shorter while it was read; run again when nothing writes to it\n$");
    }
}

TEST(MappedFile, LeavesOtherBusErrorsAsTheyAre) {
    EXPECT_EXIT(
        {
            end_if_a_mapped_file_shrinks(2);
            raise(SIGBUS);
            raise(SIGBUS);   // a load that fails is repeated
        },
        ::testing::KilledBySignal(SIGBUS), "^$");
}

TEST(MappedFile, RefusesAPipeWithoutWaitingForItsWriter) {
    const TemporaryFolder folder;
    const auto pipe = folder.path() / "a.npy";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(testing::error_of<TraceError>(folder, [&] { const MappedFile file(pipe); }),
              "a.npy: is a pipe or a device; an array is a file that numpy.save wrote");
}

/// Maps a file that is gone by then where another one of `path` was mapped before, and reads it.
void read_where_a_file_was_mapped(const std::filesystem::path& path) {
    end_if_a_mapped_file_shrinks(2);
    const std::byte* start = nullptr;
    std::size_t size = 0;
    {
        const MappedFile file(path);
        start = file.bytes().data(), size = file.bytes().size();
    }
    const int other = ::open((path.string() + ".other").c_str(), O_RDWR | O_CREAT, 0600);   // empty: no page is there
    const void* mapped = ::mmap(const_cast<std::byte*>(start), size, PROT_READ, MAP_PRIVATE | MAP_FIXED, other, 0);
    if (mapped != start) _exit(3);
    const volatile std::byte first = *start;
    static_cast<void>(first);
    _exit(0);
}

TEST(MappedFile, IsForgottenWithItsObject) {
    const TemporaryFolder folder;
    const auto file = folder.write("a.npy", std::string(100'000, 'x'));
    EXPECT_EXIT(read_where_a_file_was_mapped(file), ::testing::KilledBySignal(SIGBUS), "^$");
}

}   // namespace
}   // namespace oscar::mapped_file_test
