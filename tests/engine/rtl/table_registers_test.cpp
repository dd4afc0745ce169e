// Registers of tables: what is written stands at its place from the next cycle on.
#include <gtest/gtest.h>

#include "TableRegisters3.h"
#include "models/engine/verilated/ports.hpp"

namespace oscar::table_registers_test {

TEST(RtlTableRegisters, HoldEachCountAtItsPlaceAndZeroBeforeTheFirstRow) {
    Clocked<TableRegisters3> registers;
    registers->write_valid = 1;
    for (std::uint32_t c = 0; c < 3; ++c)
        for (std::uint32_t k = 0; k <= 16; ++k) {
            registers->write_class = static_cast<CData>(c);
            registers->write_entry = static_cast<CData>(k);
            registers->write_count = static_cast<SData>(k == 0 ? 77 : 100 * c + k);
            registers.tick();
        }
    for (std::uint32_t c = 0; c < 3; ++c)
        for (std::uint32_t k = 0; k <= 16; ++k)
            EXPECT_EQ(bits(registers->cumulative, (c * 17 + k) * 11, 11), k == 0 ? 0 : 100 * c + k);
}

}   // namespace oscar::table_registers_test
