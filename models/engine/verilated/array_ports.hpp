// Ports that encoder and decoder array share.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "models/engine/arrays/array_model.hpp"
#include "models/engine/verilated/ports.hpp"

namespace oscar {

/// Any port, set to a value of at most 64 bits.
template <std::unsigned_integral Port>
void assign(Port& port, std::uint64_t value) {
    port = static_cast<Port>(value);
}

/// Element l of a port of packed elements of `bits` bits each.
template <class Port>
void set_element(Port& port, std::size_t l, std::size_t bits, std::uint32_t value) {
    set_bits(port, bits * l, bits, value);
}
/// 32-bit words of a port.
template <std::size_t words>
void set_word(VlWide<words>& port, std::size_t l, std::uint32_t value) {
    port[l] = value;
}
template <std::unsigned_integral Port>
void set_word(Port& port, std::size_t l, std::uint32_t value) {
    set_bits(port, 32 * l, 32, value);
}
template <std::size_t words>
std::uint32_t word(const VlWide<words>& port, std::size_t l) {
    return port[l];
}
template <std::unsigned_integral Port>
std::uint32_t word(Port port, std::size_t l) {
    return static_cast<std::uint32_t>(std::uint64_t{port} >> (32 * l));
}

/// Byte k of a beat.
inline std::byte byte_of(const VlWide<16>& data, std::size_t k) {
    return static_cast<std::byte>(data[k / 4] >> (8 * (k % 4)));
}

/// The lowest pattern of a row, all ones for an empty one.
inline std::uint32_t first_of(const Table& table, std::size_t row) {
    return row < std::uint64_t{1} << table.width ? table.first[row] : 0xFFFFFFFF;
}

/// Writes widths and tables; returns the cycles that it took.
template <class Rtl>
Cycles write_tables(Clocked<Rtl>& array, ArrayModel::Widths widths, std::span<const Table> tables,
                    std::uint32_t classes) {
    if (tables.size() > classes)
        throw std::runtime_error("the RTL was made for " + std::to_string(classes) + " classes, and a message has " +
                                 std::to_string(tables.size()) + "; make it anew with --classes");
    assign(array->width, widths.symbols);
    assign(array->table_width, widths.tables);
    const std::uint64_t before = array.cycles();
    array->table_write_valid = 1;
    for (std::size_t c = 0; c < tables.size(); ++c)
        for (std::size_t k = 1; k <= table_rows; ++k) {   // entry 0 is 0
            assign(array->table_write_class, c);
            assign(array->table_write_entry, k);
            assign(array->table_write_count, tables[c].cumulative[k]);
            assign(array->table_write_first, first_of(tables[c], k - 1));
            assign(array->table_write_offset_bits, tables[c].offset_bits[k - 1]);
            array.tick();
        }
    array->table_write_valid = 0;
    array.settle();
    return array.cycles() - before;
}

/// Announces a block on the ports.
template <class Rtl>
void announce(Clocked<Rtl>& array, const ArrayBlock& block) {
    array->block_valid = 1;
    const BlockHeader& header = block.header;   // all but its bytes
    set_bits(array->block_header, 0, 8, block.bare ? 3 : static_cast<std::uint32_t>(header.mode));
    set_bits(array->block_header, 8, 8, header.epoch);
    set_bits(array->block_header, 16, 16, header.check);
    set_bits(array->block_header, 32, 16, header.timestep);
    set_bits(array->block_header, 48, 16, header.chunk);
    set_bits(array->block_header, 64, 32, header.values);
    assign(array->block_sub_streams, block.sub_streams);
    assign(array->block_slots, block.slots);
}

/// Puts the classes of a beat on a port.
template <class Port>
void put_classes(Port& port, std::uint32_t bits, const ArrayBlock& block, std::uint32_t first, std::uint32_t end) {
    if (block.classes.empty()) {
        for (std::uint32_t i = first; i < end; ++i) set_element(port, i - first, bits, 0);
        return;
    }
    for (std::uint32_t i = first; i < end; ++i) set_element(port, i - first, bits, block.classes[i]);
}

/// Bits of a class on the ports of an array of `classes` classes.
constexpr std::uint32_t class_bits(std::uint32_t classes) {
    std::uint32_t bits = 1;
    while ((1u << bits) < classes) ++bits;
    return bits;
}

}   // namespace oscar
