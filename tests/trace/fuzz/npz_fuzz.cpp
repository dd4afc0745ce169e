#include "tests/trace/fuzz/read_everything.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return oscar::testing::fuzz(data, size, oscar::ImportFormat::npz);
}
