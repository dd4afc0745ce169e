#include "sim/trace/mappings.hpp"

#include <unistd.h>

#include <csignal>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/files/pending_folder.hpp"

namespace oscar {
namespace {

struct Mapping {
    std::span<const std::byte> bytes;
    std::string name;
};

std::vector<Mapping> mappings;
/// Guards `mappings`, also in the handler: a load raises the signal in its own thread, and what holds this mutex loads
/// nothing that is mapped, so no thread waits for itself.
std::mutex mappings_mutex;
int exit_status = 1;

void write_error(std::string_view text) {
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;   // nowhere to tell it
}

/// The mutex stays locked until the process has ended, so that of several threads whose loads fail one writes the line.
void end_by_bus_error(int signal, siginfo_t* info, void*) {
    if (info->si_code != BUS_ADRERR) {   // sent by a process, perhaps while this thread holds the mutex
        ::signal(signal, SIG_DFL);
        return;
    }
    const auto* address = static_cast<const std::byte*>(info->si_addr);
    mappings_mutex.lock();
    for (const Mapping& mapping : mappings) {
        if (address < mapping.bytes.data() || address >= mapping.bytes.data() + mapping.bytes.size()) continue;
        write_error("oscar-sim: ");
        write_error(mapping.name);
        write_error(": became shorter while it was read; run again when nothing writes to it\n");
        remove_pending_folders();
        ::_exit(exit_status);
    }
    mappings_mutex.unlock();
    ::signal(signal, SIG_DFL);   // the load is repeated, and kills
}

}   // namespace

void note_mapping(std::span<const std::byte> bytes, std::string name) {
    const std::scoped_lock lock(mappings_mutex);
    mappings.push_back({bytes, std::move(name)});
}

void forget_mapping(std::span<const std::byte> bytes) {
    const std::scoped_lock lock(mappings_mutex);
    std::erase_if(mappings, [&](const Mapping& mapping) { return mapping.bytes.data() == bytes.data(); });
}

void end_if_a_mapped_file_shrinks(int status) {
    exit_status = status;
    struct sigaction action {};
    action.sa_sigaction = end_by_bus_error;
    action.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, &action, nullptr);
}

}   // namespace oscar
