// The operations of AVX2 for vector_test.cpp.
#define OSCAR_VECTORS_AVX2
#include "tests/codec/vector_operations.hpp"

namespace oscar::test {

VectorSet avx2_vectors() {
#if defined(__x86_64__)
    return avx2::vector_set();
#else
    return {};
#endif
}

}   // namespace oscar::test
