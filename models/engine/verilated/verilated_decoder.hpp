// The verilated decoder array as an ArrayModel, whose sums are compared with the model's.
#pragma once

#include <deque>
#include <string>

#include "models/engine/verilated/array_ports.hpp"
#include "models/engine/verilated/slot_cursor.hpp"

namespace oscar {

/// `Rtl`: Verilator's class of decoder_array.
template <class Rtl>
class VerilatedDecoder final : public ArrayModel {
public:
    VerilatedDecoder(const ArrayShape& shape, std::uint32_t classes) : lanes_(shape.lanes), classes_(classes) {}

    void reset() override {
        array_->block_valid = array_->tvalid = array_->table_write_valid = 0;
        array_->class_valid = array_->local_valid = 0;
        array_->out_ready = 1;
        going_in_.clear();
        to_class_.clear();
        to_add_.clear();
        coming_out_.clear();
        array_.reset();
    }
    Cycles load(Widths widths, std::span<const Table> tables) override {
        return write_tables(array_, widths, tables, classes_);
    }
    bool can_take() const override { return !array_->block_valid; }
    void take(const ArrayBlock& block) override {
        announce(array_, block);
        going_in_.push_back(block.bytes);
        for (auto* cursors : {&to_class_, &to_add_, &coming_out_}) cursors->emplace_back(block, lanes_);
    }
    ArrayEvents step() override {
        put_inputs();
        array_.settle();
        if (array_->error)
            throw std::runtime_error("the decoder's RTL finds an error in a block that the model decodes");
        ArrayEvents events{.finished = array_->out_valid && check_sums()};
        const bool announced = array_->block_valid && array_->block_ready;
        const bool took = array_->tvalid && array_->tready, last = array_->tlast;
        if (array_->class_valid && array_->class_ready) advance(to_class_);
        if (array_->local_valid && array_->local_ready) advance(to_add_);
        array_.tick();
        if (announced) array_->block_valid = 0;
        if (took) events.taken = take_beat(last);
        array_->tvalid = 0;
        array_.settle();
        return events;
    }

private:
    void put_inputs() {
        array_->tvalid = !going_in_.empty();
        if (array_->tvalid) put_beat(going_in_.front());
        array_->class_valid = !to_class_.empty();
        if (array_->class_valid) {
            const SlotCursor& at = to_class_.front();
            put_classes(array_->in_classes, class_bits(classes_), at.block(), at.first(), at.end());
        }
        array_->local_valid = !to_add_.empty();
        if (!array_->local_valid) return;
        const SlotCursor& at = to_add_.front();
        for (std::uint32_t l = 0; l < lanes_; ++l)
            set_word(array_->local_values, l, l < at.end() - at.first() ? local(at.first() + l) : 0);
    }
    void put_beat(std::span<const std::byte> bytes) {
        const std::size_t size = std::min<std::size_t>(64, bytes.size());
        for (std::size_t w = 0; w < 16; ++w) {
            std::uint32_t value = 0;
            for (std::size_t k = 4 * w; k < std::min(4 * w + 4, size); ++k)
                value |= std::to_integer<std::uint32_t>(bytes[k]) << (8 * (k % 4));
            array_->tdata[w] = value;
        }
        array_->tkeep = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
        array_->tlast = bytes.size() <= 64;
    }
    bool take_beat(bool last) {
        auto& left = going_in_.front();
        left = left.subspan(std::min<std::size_t>(64, left.size()));
        if (last) going_in_.pop_front();
        return last;
    }
    /// The local value of symbol i, to which the RTL adds what it has decoded.
    static std::uint32_t local(std::uint32_t i) { return i * 2654435761u; }
    static bool advance(std::deque<SlotCursor>& cursors) {
        cursors.front().advance();
        if (!cursors.front().at_end()) return false;
        cursors.pop_front();
        return true;
    }
    /// True if they are the last of their block.
    bool check_sums() {
        const SlotCursor& at = coming_out_.front();
        bool same = array_->out_count == at.end() - at.first();
        for (std::uint32_t i = at.first(); i < at.end() && same; ++i)
            same =
                word(array_->out_sums, i - at.first()) == static_cast<std::uint32_t>(at.block().symbols[i]) + local(i);
        if (!same)
            throw std::runtime_error("the decoder's RTL gives other sums than the codec for a block of " +
                                     std::to_string(at.block().header.values) + " values, from value " +
                                     std::to_string(at.first()) + " on");
        return advance(coming_out_);
    }

    std::uint32_t lanes_, classes_;
    mutable Clocked<Rtl> array_;
    std::deque<std::span<const std::byte>> going_in_;
    std::deque<SlotCursor> to_class_, to_add_, coming_out_;
};

}   // namespace oscar
