// Kernels that convert gradients, in what a method's run reports.
#include "models/gpu/gradient_form.hpp"
#include "tests/run/methods.hpp"

namespace oscar::gpu_kernels_test {
namespace {

using namespace test;   // methods and iterations

Parameters with_codes() {
    Parameters p = SmallMachine::of(4);
    p.gpu.gradients = GradientForm::codes;
    return p;
}

// 4000 values at 0.85 of 26.8 Tbit/s, 22.78 Tbit/s, rounded up to ps, and 5 us a launch. int8: 4 + 1 bytes before, 10
// bits and so 2 + 4 after.
constexpr std::int64_t of_int8 = 10'000'000 + (4000 * 5 * 8 * 100 + 2277) / 2278 + (4000 * 6 * 8 * 100 + 2277) / 2278;
constexpr std::int64_t of_bf16 = 10'000'000 + 2 * ((4000 * 6 * 8 * 100 + 2277) / 2278);
constexpr std::int64_t of_fp8 = 10'000'000 + 2 * ((4000 * 5 * 8 * 100 + 2277) / 2278);

std::int64_t kernels_of(const Method& method) {
    if (method.name == "fp32") return 0;
    if (method.name == "fp8") return of_fp8;
    return method.name == "bf16" ? of_bf16 : of_int8;
}

TEST(GpuKernelsOfAMethod, AreReportedOfAllButFp32) {
    SmallMachine machine(with_codes());
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, small_codes(0, false, 1), {}, {{.wire_ps = 5'000'000}});
        EXPECT_EQ(run.results()[0].gpu_kernel_ps, kernels_of(method)) << method.name;
        EXPECT_EQ(run.results()[0].sums_match_reference, true) << method.name;
    }
}

TEST(GpuKernelsOfAMethod, ArePartOfItsTimeItsCriticalPathAndItsClosedForm) {
    SmallMachine machine(with_codes());
    for (const Method& method : all_methods()) {
        SCOPED_TRACE(method.name);
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, small_codes(0, false, 1), {}, {});
        machine.parameters.gpu.kernel_latency = 6_us;   // of two kernels
        MethodRun slower = run_of(machine, method);
        slower.iterate(machine.system, small_codes(0, false, 1), {}, {});
        machine.parameters.gpu.kernel_latency = 5_us;
        const IterationResult &a = run.results()[0], &b = slower.results()[0];
        const std::int64_t more = method.name == "fp32" ? 0 : 2'000'000;
        EXPECT_EQ(b.allreduce_ps - a.allreduce_ps, more);
        EXPECT_EQ(*b.closed_form_ps - *a.closed_form_ps, more);
        EXPECT_EQ(b.critical_path.latency_ps - a.critical_path.latency_ps, more);
        EXPECT_EQ(a.critical_path.total_ps(), a.allreduce_ps);
        // The split into codec, wire and wait is of the rest, each rounded.
        EXPECT_NEAR(static_cast<double>(a.codec_ps + a.wire_ps + a.wait_ps + a.gpu_kernel_ps),
                    static_cast<double>(a.allreduce_ps), 2);
        const std::int64_t packet = 20 * (4096 + 82);   // 400 Gbit/s: 20 ps a byte
        EXPECT_NEAR(static_cast<double>(*a.closed_form_ps), static_cast<double>(a.allreduce_ps),
                    static_cast<double>(packet));
    }
}

TEST(GpuKernelsOfAMethod, AreNoneByDefault) {
    SmallMachine machine;
    for (const Method& method : all_methods()) {
        MethodRun run = run_of(machine, method);
        run.iterate(machine.system, small_codes(0, false, 1), {}, {});
        EXPECT_EQ(run.results()[0].gpu_kernel_ps, 0) << method.name;
    }
}

}   // namespace
}   // namespace oscar::gpu_kernels_test
