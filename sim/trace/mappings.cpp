#include "sim/trace/mappings.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/files/pending_folder.hpp"

namespace oscar::inline trace {
namespace {

struct Mapping {
    std::span<const std::byte> bytes;
    std::string name;
};

/// The signal is raised by the load that fails, hence never while this changes: the program has one thread.
std::vector<Mapping> mappings;
int exit_status = 1;

void write_error(std::string_view text) {
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;   // nowhere to tell it
}

void end_by_bus_error(int signal, siginfo_t* info, void*) {
    const auto* address = static_cast<const std::byte*>(info->si_addr);
    for (const Mapping& mapping : mappings) {
        if (address < mapping.bytes.data() || address >= mapping.bytes.data() + mapping.bytes.size()) continue;
        write_error("oscar-sim: ");
        write_error(mapping.name);
        write_error(": became shorter while it was read; run again when nothing writes to it\n");
        remove_pending_folders();
        ::_exit(exit_status);
    }
    ::signal(signal, SIG_DFL);   // the load is repeated, and kills
}

}   // namespace

void note_mapping(std::span<const std::byte> bytes, std::string name) { mappings.push_back({bytes, std::move(name)}); }

void forget_mapping(std::span<const std::byte> bytes) {
    std::erase_if(mappings, [&](const Mapping& mapping) { return mapping.bytes.data() == bytes.data(); });
}

void end_if_a_mapped_file_shrinks(int status) {
    exit_status = status;
    struct sigaction action {};
    action.sa_sigaction = end_by_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
}

}   // namespace oscar::inline trace
