#include "models/engine/arrays/rtl_library.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace oscar {
namespace {

/// The folder of the file that holds this code: the program, or the Python module.
std::filesystem::path own_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&rtl_folder), &info) == 0 || info.dli_fname == nullptr) return ".";
    std::error_code failed;
    const auto file = std::filesystem::canonical(info.dli_fname, failed);
    return failed ? "." : file.parent_path();
}

[[noreturn]] void fail(const std::string& what, std::uint32_t lanes, std::uint32_t streams) {
    throw std::runtime_error("engine.kind rtl: " + what + "; in a checkout, scripts/rtl_engine --lanes " +
                             std::to_string(lanes) + " --streams " + std::to_string(streams) +
                             " makes it, with Debian's packages verilator, make and g++");
}

/// The name of an array's library in its folder.
std::string file_name(EngineArray unit, Layout layout) {
    return std::string(unit == EngineArray::encoder ? "encoder" : "decoder") + "-" +
           (layout == Layout::ranges ? "ranges" : "magnitude") + ".so";
}

std::shared_ptr<ArrayModel> load(const std::filesystem::path& file, std::uint32_t lanes, std::uint32_t streams) {
    if (!std::filesystem::exists(file)) fail("there is no " + file.string(), lanes, streams);
    const std::shared_ptr<void> library(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* opened) {
        if (opened != nullptr) dlclose(opened);
    });
    if (!library) fail(dlerror(), lanes, streams);
    const auto info = reinterpret_cast<RtlLibraryInfoFunction*>(dlsym(library.get(), "oscar_rtl_library_info"));
    const auto make = reinterpret_cast<MakeRtlArrayFunction*>(dlsym(library.get(), "oscar_make_rtl_array"));
    if (info == nullptr || make == nullptr || info()->version != RtlLibraryInfo::current_version ||
        info()->shape.lanes != lanes || info()->shape.streams != streams)
        fail(file.string() + " is of another shape, or of another version of this program", lanes, streams);
    return {make(), [library](ArrayModel* array) { delete array; }};
}

}   // namespace

std::filesystem::path rtl_folder(std::uint32_t lanes, std::uint32_t streams) {
    const char* const folder = std::getenv("OSCAR_RTL");
    const std::filesystem::path base = folder != nullptr ? std::filesystem::path(folder) : own_folder() / "rtl";
    return base / (std::to_string(lanes) + "x" + std::to_string(streams));
}

MakeArray rtl_arrays(const std::filesystem::path& folder, std::uint32_t lanes, std::uint32_t streams) {
    if (!std::filesystem::is_directory(folder))
        fail("there is no RTL of " + std::to_string(lanes) + " lanes of " + std::to_string(streams) +
                 (streams == 1 ? " stream" : " streams") + ", in no folder " + folder.string(),
             lanes, streams);
    return [folder, lanes, streams](EngineArray unit, Layout layout) {
        return load(folder / file_name(unit, layout), lanes, streams);
    };
}

}   // namespace oscar
