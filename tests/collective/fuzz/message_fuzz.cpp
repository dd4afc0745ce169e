#include "tests/collective/fuzz/altered_message.hpp"

#include <cstdint>

extern "C" int LLVMFuzzerInitialize(int*, char***) {   // its seconds are not those of an input
    return oscar::test::altered_message_links() == 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    oscar::test::is_accepted(std::as_bytes(std::span(data, size)));
    return 0;
}
