#include "sim/config/folder_name.hpp"

#include <gtest/gtest.h>

namespace oscar::folder_name_test {
namespace {

TEST(FolderName, MayBeAnyTextThatStaysWithinTheResults) {
    for (const char* name : {"demo", "a b", "..a", "a..", ".hidden", "caf\xc3\xa9", "8 ranks, 25Gbps"})
        EXPECT_FALSE(why_no_folder_name(name)) << name;
    EXPECT_FALSE(why_no_folder_name(std::string(255, 'a')));
}

TEST(FolderName, MayNotLeadElsewhereNorBeWhatNoFileSystemTakes) {
    for (const char* name : {"", ".", "..", "../../x", "/tmp", "a/b", "a/", "a\nb", "caf\xe9", "a\x1b[2J", "a\xc2\x9b"})
        EXPECT_TRUE(why_no_folder_name(name)) << name;
    EXPECT_TRUE(why_no_folder_name(std::string_view("a\0b", 3)));
    EXPECT_TRUE(why_no_folder_name(std::string(256, 'a')));
    EXPECT_EQ(
        why_no_folder_name("a/b"),
        "'a/b' cannot name a folder within the results; write a name without '/', of at most 255 bytes, like ring8");
}

}   // namespace
}   // namespace oscar::folder_name_test
