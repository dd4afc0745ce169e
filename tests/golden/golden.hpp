// Golden files: what the program writes today, kept in the repository so that no byte of it changes without intent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace oscar::test {

/// Whether the value of the environment variable UPDATE_GOLDEN (null: it is not set) asks for new golden files: only
/// "1" does.
inline bool asks_for_update(const char* value) { return value != nullptr && std::string_view(value) == "1"; }

/// Compares `text` with a golden file; nothing if they are equal. With `update`, a file that differs is written, which
/// is a problem too: a run that changes what is expected must not pass.
inline std::optional<std::string> golden_problem(const std::filesystem::path& file, const std::string& text,
                                                 bool update) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream expected;
    if (in) expected << in.rdbuf();
    if (in && expected.str() == text) return std::nullopt;
    if (!update)
        return file.string() + (in ? " differs" : " does not exist") +
               "; if the change is intended: UPDATE_GOLDEN=1 ctest --test-dir build/release -R Golden";
    std::filesystem::create_directories(file.parent_path());
    if (!(std::ofstream(file, std::ios::binary) << text << std::flush)) return "cannot write " + file.string();
    return file.string() + " is UPDATED; look at its diff, and run the test again without UPDATE_GOLDEN";
}

/// Expects that `text` is the content of a golden file. Working directory: the root of the project.
inline void expect_golden(const std::filesystem::path& file, const std::string& text) {
    const bool update = asks_for_update(std::getenv("UPDATE_GOLDEN"));
    std::ostringstream expected;
    if (const std::ifstream in(file, std::ios::binary); in && !update) expected << in.rdbuf();
    const auto problem = golden_problem(file, text, update);
    if (!problem) return;
    if (!update) {
        EXPECT_EQ(text, expected.str());   // shows the lines that differ
    }
    ADD_FAILURE() << *problem;
}

}   // namespace oscar::test
