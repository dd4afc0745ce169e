// The seeds of the configuration fuzzer, and what becomes of them when bytes change; the fuzzer goes on from there.
#include "tests/parameters/fuzz/read_configuration.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace oscar::read_configuration_test {
namespace {

using test::reads_configuration;

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The shipped experiments; those with a base of their own have a key that only files may have.
std::vector<std::filesystem::path> experiments() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator("configs/experiments")) found.push_back(entry.path());
    return found;
}

TEST(ConfigurationFuzz, ReadsTheShippedExperimentsThatHaveNoBase) {
    std::size_t read = 0;
    for (const auto& file : experiments())
        if (text_of(file).find("\nbase:") == std::string::npos) {
            EXPECT_TRUE(reads_configuration(text_of(file))) << file;
            ++read;
        }
    EXPECT_GT(read, 5u);
}

TEST(ConfigurationFuzz, ReadsOrRefusesWhateverIsLeftWhenBytesChange) {
    const std::string insertions = "\t\n:-[]{}'\"#&*!|>%@\\0\x80\xff";
    std::mt19937_64 random(1);
    for (const auto& file : experiments()) {
        const std::string text = text_of(file);
        for (int round = 0; round < 40; ++round) {
            std::string altered = text;
            for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
                const std::size_t at = random() % altered.size();
                if (random() % 3 == 0) altered.erase(at);
                else altered[at] = insertions[random() % insertions.size()];
                if (altered.empty()) altered = "-";
            }
            ASSERT_NO_THROW(reads_configuration(altered)) << altered;
        }
    }
}

TEST(ConfigurationFuzz, RefusesWhatIsNoConfiguration) {
    for (const char* text :
         {"", "# nothing", "ranks: x", "ranks: 1\nranks: 2", "a: [", "\xff", "--- 1\n--- 2", "&a 1: *a"})
        EXPECT_FALSE(reads_configuration(text)) << text;
}

TEST(ConfigurationFuzz, EndsForBracketsWithoutEnd) {
    for (const char* bracket : {"[", "{", "- ", "? ", "a: {"}) {
        std::string text;
        for (int i = 0; i < 2000; ++i) text += bracket;
        EXPECT_FALSE(reads_configuration(text)) << bracket;
    }
}

}   // namespace
}   // namespace oscar::read_configuration_test
