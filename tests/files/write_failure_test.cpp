#include "sim/files/write_failure.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cerrno>

#include "sim/config/error.hpp"

namespace oscar::write_failure_test {
namespace {

TEST(WriteFailure, NamesAFullDisk) {
    for (const int error : {ENOSPC, EDQUOT, EFBIG}) EXPECT_TRUE(is_lack_of_room(error));
    try {
        fail_to_write("out/report.json", ENOSPC, "choose another folder");
    } catch (const WriteFailure& error) {
        EXPECT_STREQ(error.what(),
                     "out/report.json: cannot be written, the disk is full (No space left on device); free "
                     "some space or choose another folder");
    }
}

TEST(WriteFailure, TellsTheLimitOfAFilesSize) {
    const auto message = [] {
        try {
            fail_to_write("array.npy", EFBIG, "name another folder");
        } catch (const WriteFailure& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit limit{1'000'000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_EQ(message(),
              "array.npy: cannot be written, a file may have at most 1000000 bytes (ulimit -f); raise that limit, or "
              "name another folder");
    ::setrlimit(RLIMIT_FSIZE, &before);
    if (before.rlim_cur != RLIM_INFINITY) return;
    EXPECT_EQ(message(),
              "array.npy: cannot be written, the file system takes no file as large; write less, or name another "
              "folder");
}

TEST(WriteFailure, IsAnErrorOfTheInputWhereThePlaceIsWrong) {
    for (const int error : {EACCES, ENOTDIR, EROFS, ENAMETOOLONG}) {
        EXPECT_FALSE(is_lack_of_room(error));
        EXPECT_THROW(fail_to_write("out", error, "choose another folder"), InputError) << error;
    }
    EXPECT_THROW(fail_to_write("out", EIO, "choose another folder"), WriteFailure);
}

}   // namespace
}   // namespace oscar::write_failure_test
