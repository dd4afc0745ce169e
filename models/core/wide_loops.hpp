// Loops compiled twice, for every host and for hosts with AVX-512, with identical results.
#pragma once

#include <array>
#include <cstddef>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define OSCAR_HAS_WIDE_LOOPS 1
#define OSCAR_WIDE [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")]]
#endif

/// Stands after the parameters of a lambda that goes to in_wide_loops, so that it is compiled anew for its caller.
#define OSCAR_INLINE __attribute__((always_inline))

/// Stands before a loop none of whose iterations reads or writes what another writes, so that it can be vectorised.
#ifdef __clang__
#define OSCAR_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define OSCAR_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace oscar {

#ifdef OSCAR_HAS_WIDE_LOOPS

/// True if this host has all AVX-512 extensions that run_wide() is compiled for.
inline bool wide_loops_available() {
    static const bool found = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                              __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
    return found;
}

/// Runs body() compiled for AVX-512. Precondition: wide_loops_available().
template <class Body>
OSCAR_WIDE void run_wide(const Body& body) {
    body();
}

#endif

#ifdef __clang__   // a loop that it leaves as it is, as under sanitizers, is right all the same
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

/// Runs body(), a lambda marked OSCAR_INLINE, compiled for AVX-512 where this host has it. Floating point is strict, so
/// both forms give the same bits.
template <class Body>
void in_wide_loops(const Body& body) {
#ifdef OSCAR_HAS_WIDE_LOOPS
    if (wide_loops_available()) return run_wide(body);
#endif
    body();
}

inline constexpr std::size_t sum_lanes = 16;

/// Sum of term(i) for i below `count` in double precision: sixteen interleaved sums, added up in order, for one sum in
/// order could not be vectorised. The same on every host.
template <class Term>
OSCAR_INLINE inline double sum_in_lanes(std::size_t count, const Term& term) {
    std::array<double, sum_lanes> lanes{};
    std::size_t i = 0;
    for (; i + sum_lanes <= count; i += sum_lanes)
        for (std::size_t lane = 0; lane < sum_lanes; ++lane) lanes[lane] += term(i + lane);
    for (std::size_t lane = 0; i < count; ++i, ++lane) lanes[lane] += term(i);
    double sum = 0;
    for (const double lane : lanes) sum += lane;
    return sum;
}

}   // namespace oscar
