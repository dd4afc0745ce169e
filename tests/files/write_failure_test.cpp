#include "sim/files/write_failure.hpp"

#include <gtest/gtest.h>

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

TEST(WriteFailure, IsAnErrorOfTheInputWhereThePlaceIsWrong) {
    for (const int error : {EACCES, ENOTDIR, EROFS, ENAMETOOLONG}) {
        EXPECT_FALSE(is_lack_of_room(error));
        EXPECT_THROW(fail_to_write("out", error, "choose another folder"), InputError) << error;
    }
    EXPECT_THROW(fail_to_write("out", EIO, "choose another folder"), WriteFailure);
}

}   // namespace
}   // namespace oscar::write_failure_test
