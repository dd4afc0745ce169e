// Runs the program as a user does.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace oscar::test {

struct Finished {
    int status = -1;
    std::string output;   ///< standard output and standard error
};

/// `command` in a shell, in the root of the project; OSCAR_SIM is the program.
inline Finished shell(const std::string& command) {
    FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
    Finished finished;
    std::array<char, 4096> part;
    while (const std::size_t n = fread(part.data(), 1, part.size(), pipe)) finished.output.append(part.data(), n);
    finished.status = WEXITSTATUS(pclose(pipe));
    return finished;
}

/// `oscar-sim ARGUMENTS`, in the root of the project.
inline Finished oscar_sim(const std::string& arguments) { return shell(OSCAR_SIM " " + arguments); }

/// A new empty folder that is gone when the test ends.
class Folder {
public:
    /// A test that needs two folders at a time tells them apart by `name`.
    explicit Folder(const std::string& name = "")
        : path_(std::filesystem::temp_directory_path() / ("oscar-test-" + std::to_string(getpid()) + name)) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~Folder() { std::filesystem::remove_all(path_); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    std::string text() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline nlohmann::ordered_json report_in(const std::filesystem::path& folder) {
    return nlohmann::ordered_json::parse(text_of(folder / "report.json"));
}

/// The report without what may differ between two runs.
inline nlohmann::ordered_json without_clock(nlohmann::ordered_json report) {
    for (const char* key : {"threads", "wall_s", "cpu_s", "peak_rss_bytes", "events_per_wall_s", "flit_hops_per_cpu_s"})
        report["host"].erase(key);
    return report;
}

}   // namespace oscar::test
