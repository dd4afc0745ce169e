// Methods and iterations for the tests of MethodRun.
#pragma once

#include <gtest/gtest.h>

#include "sim/checks/methods.hpp"
#include "sim/run/iteration/method_run.hpp"
#include "tests/run/support.hpp"

namespace oscar::test {

inline constexpr std::uint32_t elements = 4000;   // 1000 per chunk on 4 ranks

inline IterationCodes small_codes(std::uint32_t position, bool continues, std::uint64_t seed, std::uint32_t ranks = 4) {
    return iteration_of(position, continues, test::codes(ranks, elements, 8, seed));
}
inline IterationCodes uneven(std::uint32_t position, bool continues, std::uint64_t seed) {
    return iteration_of(position, continues, test::uneven_codes(4, elements, seed));
}

/// All listed codecs with their defaults, and Atalanta's other tables.
inline std::vector<Method> all_methods() {
    std::vector<Method> methods{{"atalanta-inline", AtalantaParams{AtalantaTable::sent_inline}},
                                {"atalanta-pooled", AtalantaParams{AtalantaTable::pooled}}};
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) { methods.push_back({std::string(kind.name), P{}}); });
    return methods;
}
inline const Method fp32{"fp32", Fp32Params{}}, fixed{"fixed_point", FixedPointParams{}},
    profiled{"atalanta", AtalantaParams{}}, inlined{"inline", AtalantaParams{AtalantaTable::sent_inline}},
    pooled{"pooled", AtalantaParams{AtalantaTable::pooled}}, asc{"asc", AscParams{}};

inline MethodRun run_of(const SmallMachine& machine, const Method& method, std::uint32_t size = elements) {
    return {machine.parameters, method, machine.routes, {Segment{0, size}}};
}

/// What is wrong with the method on one tensor, or "none".
inline std::string method_problem(const SmallMachine& machine, const Method& method) {
    const Segment tensor{0, elements};
    return find_method_problem(machine.parameters, method, machine.routes.topology(), {&tensor, 1}).value_or("none");
}

/// The results of two iterations behind one that warms up.
inline std::vector<IterationResult> results_of(SmallMachine& machine, const Method& method) {
    MethodRun run = run_of(machine, method);
    run.warm_up(uneven(6, false, 1));
    run.iterate(machine.system, uneven(7, true, 2), {}, {});
    run.iterate(machine.system, small_codes(8, true, 3), {}, {});
    return run.results();
}

inline void expect_same_cost(const IterationResult& a, const IterationResult& b) {
    EXPECT_EQ(a.payload_bytes, b.payload_bytes);
    EXPECT_EQ(a.wire_bytes, b.wire_bytes);
    EXPECT_EQ(a.imbalance, b.imbalance);
    EXPECT_EQ(a.allreduce_ps, b.allreduce_ps);
}

/// Four ranks in islands of two, whose GPUs have ports to each other.
inline Parameters two_islands() {
    Parameters p = SmallMachine::of(4);
    HierarchicalParams collective;
    collective.island = 2;
    p.collective = collective;
    IslandsParams islands;
    islands.island = 2;
    p.network.topology = islands;
    p.gpu.gradients = GradientForm::codes;
    p.gpu.island_port.emplace();
    return p;
}

/// With every codec, as bytes and as sizes, ranks end with the sums of the reference; there is no closed form, which
/// knows of one way out and of sums in NICs.
inline void expect_equal_sums_and_no_closed_form(SmallMachine& machine) {
    for (const Payload payload : {Payload::encoded, Payload::size_only}) {
        machine.parameters.payload = payload;
        for (const Method& method : all_methods()) {
            SCOPED_TRACE(method.name);
            for (const IterationResult& result : results_of(machine, method)) {
                EXPECT_EQ(result.sums_match_reference, true);
                EXPECT_FALSE(result.closed_form_ps);
            }
        }
    }
}

}   // namespace oscar::test
