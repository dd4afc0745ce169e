// Vectors of the instruction set for which a file is compiled: AVX2 if it defines OSCAR_VECTORS_AVX2 before it includes
// anything, else AVX-512. A kernel is a header that includes this one. Its code is in namespace oscar::OSCAR_VECTORS,
// with OSCAR_VECTOR_LOOP before each function that uses vectors, so that one source serves both instruction sets.
//
// A Vector holds `lanes_per_register` unsigned integers of 32 bits. Its operators work on the elements; a shift by 32
// or more gives 0. A Mask holds a condition for each element; masked loads and stores do not touch the memory of other
// elements. at(table, rows) looks up rows 0..15. gather() loads words at an index, gather_at_bytes() 32 bits at a byte.
#pragma once

#if defined(OSCAR_VECTORS_AVX2)
#include "models/codec/bits/vector_avx2.hpp"
#define OSCAR_VECTORS avx2
#define OSCAR_VECTOR_LOOP OSCAR_AVX2
#else
#include "models/codec/bits/vector_avx512.hpp"
#define OSCAR_VECTORS avx512
#define OSCAR_VECTOR_LOOP OSCAR_AVX512
#endif
