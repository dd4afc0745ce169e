#include "models/engine/arrays/rtl_library.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace oscar::rtl_library_test {
namespace {

using ::testing::HasSubstr;

template <class F>
std::string error_of(F&& f) {
    try {
        f();
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "no error";
}

const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "rtl_library_test";

TEST(LibrariesOfTheRtl, AreAskedForByShapeWhereTheyAreMissing) {
    const std::string error = error_of([] { rtl_arrays("nowhere/4x2", 4, 2); });
    EXPECT_THAT(error, HasSubstr("there is no RTL of 4 lanes of 2 streams, in no folder nowhere/4x2"));
    EXPECT_THAT(error, HasSubstr("scripts/rtl_engine --lanes 4 --streams 2 makes it"));
    EXPECT_THAT(error, HasSubstr("verilator"));
}

TEST(LibrariesOfTheRtl, AreAskedForWhereOneArrayIsMissing) {
    std::filesystem::create_directories(folder / "empty");
    const MakeArray make = rtl_arrays(folder / "empty", 4, 1);
    const std::string error = error_of([&] { make(EngineArray::decoder, Layout::ranges); });
    EXPECT_THAT(error, HasSubstr("there is no " + (folder / "empty/decoder-ranges.so").string()));
    EXPECT_THAT(error, HasSubstr("scripts/rtl_engine"));
}

TEST(LibrariesOfTheRtl, AreRefusedIfTheyAreNone) {
    std::filesystem::create_directories(folder / "text");
    std::ofstream(folder / "text/encoder-magnitude.so") << "no library\n";
    const MakeArray make = rtl_arrays(folder / "text", 4, 1);
    const std::string error = error_of([&] { make(EngineArray::encoder, Layout::magnitude); });
    EXPECT_THAT(error, HasSubstr("encoder-magnitude.so"));
    EXPECT_THAT(error, HasSubstr("scripts/rtl_engine"));
}

TEST(TheirFolder, IsNamedAfterTheShapeAndTheVariable) {
    setenv("OSCAR_RTL", "/somewhere", 1);
    EXPECT_EQ(rtl_folder(64, 4), "/somewhere/64x4");
    unsetenv("OSCAR_RTL");
    EXPECT_EQ(rtl_folder(64, 4).parent_path().filename(), "rtl");
}

}   // namespace
}   // namespace oscar::rtl_library_test
