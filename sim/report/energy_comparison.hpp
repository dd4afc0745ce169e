// Comparison of the energies of methods with that of the first one.
#pragma once

#include <vector>

#include "models/engine/engine_cost.hpp"
#include "sim/report/report.hpp"

namespace oscar {

/// Sets what each method saves over the first, and the energy of a bit on a link at which it would save nothing. Both
/// are null where an energy is. Precondition: there is a method.
inline void add_energy_comparison(std::vector<MethodReport>& methods) {
    const MethodReport& first = methods.front();
    for (MethodReport& method : methods) {
        if (!method.energy_total_pj || !first.energy_total_pj) continue;
        method.energy_saved_pj = *first.energy_total_pj - *method.energy_total_pj;
        const double more =
            (*method.energy_total_pj - *method.energy_link_pj) - (*first.energy_total_pj - *first.energy_link_pj);
        if (const auto energy = break_even_link_energy(Energy{more}, first.link_bits - method.link_bits))
            method.break_even_energy_pj_per_bit = energy->pj;
    }
}

}   // namespace oscar
