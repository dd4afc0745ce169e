#include "sim/files/write_place.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <string>

#include "sim/files/write_failure.hpp"
#include "sim/files/write_file.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::write_place_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct WritePlaces : ::testing::Test {
    fs::path named(const char* name) const { return folder.path() / name; }
    /// A node of the device (1, minor) in the temporary folder; false where nobody may make one.
    bool make_device(const fs::path& file, unsigned minor) const {
        if (::mknod(file.c_str(), S_IFCHR | 0666, ::makedev(1, minor)) != 0) return false;
        return ::access(file.c_str(), W_OK) == 0 && std::ofstream(file).is_open();
    }
    bool is_device(const fs::path& file) const {
        struct stat status {};
        return ::lstat(file.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
    }
    std::string refusal(const fs::path& file) const {
        try {
            replace_file(file, "text", "choose another file");
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    }
    testing::TemporaryFolder folder;
};

TEST_F(WritePlaces, ADeviceIsWrittenIntoAndStays) {
    const fs::path null = named("null"), full = named("full");
    if (!make_device(null, 3) || !make_device(full, 7)) GTEST_SKIP() << "only root makes devices, where it may";
    replace_file(null, "text", "");
    EXPECT_TRUE(is_device(null));
    EXPECT_THROW(replace_file(full, "text", ""), WriteFailure);   // a full disk, not a wrong place
    EXPECT_TRUE(is_device(full));
    fs::create_symlink("null", named("link"));
    replace_file(named("link"), "text", "");
    EXPECT_TRUE(is_device(null));
    EXPECT_TRUE(fs::is_symlink(named("link")));
}

TEST_F(WritePlaces, APipeTakesTheTextAndStays) {
    const fs::path pipe = named("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    auto read = std::async(std::launch::async, [&] { return text_of(pipe); });
    const std::string text(200'000, 'x');   // more than a pipe holds at once
    replace_file(pipe, text, "");
    EXPECT_EQ(read.get(), text);
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(WritePlaces, APipeThatMayNotBlockIsWaitedFor) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_NONBLOCK), 0);
    auto read = std::async(std::launch::async, [&] {
        std::string all;
        char part[4096];
        while (all.size() < 300'000)
            if (const ssize_t bytes = ::read(ends[0], part, sizeof part); bytes > 0)
                all.append(part, static_cast<std::size_t>(bytes));
        return all.size();
    });
    replace_file("/proc/self/fd/" + std::to_string(ends[1]), std::string(300'000, 'x'), "");
    EXPECT_EQ(read.get(), 300'000U);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_F(WritePlaces, AnOpenDescriptorGoesOnWhereItStands) {
    const int descriptor = ::open(named("printed").c_str(), O_WRONLY | O_CREAT, 0600);
    ASSERT_EQ(::write(descriptor, "before ", 7), 7);
    for (const char* folder_of_descriptors : {"/proc/self/fd/", "/dev/fd/"})
        replace_file(folder_of_descriptors + std::to_string(descriptor), "text ", "");
    ASSERT_EQ(::write(descriptor, "after", 5), 5);
    ::close(descriptor);
    EXPECT_EQ(text_of(named("printed")), "before text text after");
    EXPECT_THAT(refusal("/proc/self/fd/" + std::to_string(descriptor)), HasSubstr("Bad file descriptor"));
}

TEST_F(WritePlaces, StandardOutputIsTheFirstDescriptor) {
    const WritePlace place = place_to_write("/dev/stdout");
    EXPECT_EQ(place.kind, WritePlace::Kind::descriptor);
    EXPECT_EQ(place.descriptor, STDOUT_FILENO);
    fs::create_symlink("/dev/stdout", named("link"));
    EXPECT_TRUE(is_standard_output(named("link")));
    for (const char* other : {"/dev/stderr", "page.html", "-", ""}) EXPECT_FALSE(is_standard_output(other)) << other;
}

TEST_F(WritePlaces, ALinkStaysAndItsTargetIsReplaced) {
    fs::create_directories(named("real"));
    folder.write("real/page", "first");
    fs::create_symlink("real/page", named("near"));
    fs::create_symlink("../near", named("real/back"));
    fs::create_directory_symlink("real", named("folder"));
    for (const fs::path& link : {named("near"), named("real/back"), named("folder/back")}) {
        replace_file(link, link.string(), "");
        EXPECT_EQ(text_of(named("real/page")), link.string());
        EXPECT_TRUE(fs::is_symlink(link));
    }
    EXPECT_EQ(std::distance(fs::directory_iterator(named("real")), fs::directory_iterator()), 2);
}

TEST_F(WritePlaces, ALinkToNothingMakesItsTarget) {
    fs::create_symlink(named("new"), named("link"));
    replace_file(named("link"), "text", "");
    EXPECT_EQ(text_of(named("new")), "text");
    EXPECT_TRUE(fs::is_symlink(named("link")));
}

TEST_F(WritePlaces, ALoopOfLinksIsRefused) {
    fs::create_symlink("b", named("a"));
    fs::create_symlink("a", named("b"));
    EXPECT_EQ(refusal(named("a")),
              named("a").string() + ": cannot be written (Too many levels of symbolic links); choose another file");
    EXPECT_TRUE(fs::is_symlink(named("a")));
}

TEST_F(WritePlaces, AFolderIsRefusedAlsoBehindALink) {
    fs::create_directories(named("folder"));
    fs::create_directory_symlink("folder", named("link"));
    for (const char* name : {"folder", "link"}) {
        EXPECT_EQ(refusal(named(name)),
                  named(name).string() + ": cannot be written (Is a directory); choose another file");
    }
    EXPECT_TRUE(fs::is_directory(named("folder")));
}

TEST_F(WritePlaces, ASocketIsRefusedAndStays) {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{AF_UNIX, {}};
    const std::string file = named("socket").string();
    std::copy(file.begin(), file.end(), address.sun_path);
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_THAT(refusal(file), EndsWith("choose another file"));
    EXPECT_TRUE(fs::is_socket(file));
    ::close(descriptor);
}

}   // namespace
}   // namespace oscar::write_place_test
