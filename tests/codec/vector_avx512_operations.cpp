// The operations of AVX-512 for vector_test.cpp.
#include "tests/codec/vector_operations.hpp"

namespace oscar::test {

VectorSet avx512_vectors() {
#if defined(__x86_64__)
    return avx512::vector_set();
#else
    return {};
#endif
}

}   // namespace oscar::test
