// Registry of mapped files, which names the file that was truncated while it was mapped.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace oscar {

/// Notes that `bytes` are a mapping of the file `name`, until forget_mapping. Any thread may call either.
void note_mapping(std::span<const std::byte> bytes, std::string name);
/// Takes back note_mapping of the bytes that begin at the same address.
void forget_mapping(std::span<const std::byte> bytes);

/// From now on, reading what a mapped file no longer holds ends the process with exit status `status` and one line on
/// standard error that names the file; pending folders are removed. For main: the system reports it as SIGBUS, in the
/// middle of a load, where nothing can be thrown. It holds for all threads: the first whose load fails writes the line.
/// Other causes of SIGBUS kill as before.
void end_if_a_mapped_file_shrinks(int status);

}   // namespace oscar
