#include "models/gpu/gradient_form.hpp"

namespace oscar {
namespace {

std::uint64_t whole_bytes(std::uint32_t bits) { return (bits + 7) / 8; }

}   // namespace

ValueBytes value_bytes(GradientForm form, const Plan& plan) {
    if (form == GradientForm::fp32) return {fp32_bytes, fp32_bytes};
    return {whole_bytes(plan.bits), whole_bytes(plan.final_width())};
}

}   // namespace oscar
