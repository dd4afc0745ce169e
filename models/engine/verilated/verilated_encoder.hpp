// The verilated encoder array as an ArrayModel, whose bytes are compared with the model's.
#pragma once

#include <deque>
#include <string>

#include "models/engine/verilated/array_ports.hpp"
#include "models/engine/verilated/slot_cursor.hpp"

namespace oscar {

/// `Rtl`: Verilator's class of encoder_array.
template <class Rtl>
class VerilatedEncoder final : public ArrayModel {
public:
    VerilatedEncoder(const ArrayShape& shape, std::uint32_t classes) : lanes_(shape.lanes), classes_(classes) {}

    void reset() override {
        array_->block_valid = array_->in_valid = array_->table_write_valid = 0;
        array_->tready = 1;
        going_in_.clear();
        inside_.clear();
        array_.reset();
    }
    Cycles load(Widths widths, std::span<const Table> tables) override {
        return write_tables(array_, widths, tables, classes_);
    }
    bool can_take() const override { return going_in_.empty() && !array_->block_valid && array_->block_ready; }
    void take(const ArrayBlock& block) override {
        announce(array_, block);
        going_in_.emplace_back(block, lanes_);
        inside_.push_back({block, 0});
    }
    ArrayEvents step() override {
        array_->in_valid = !going_in_.empty();
        if (array_->in_valid) put_symbols(going_in_.front());
        array_.settle();
        if (array_->refused) throw std::runtime_error("the encoder's RTL refuses a block that the model codes");
        ArrayEvents events{.finished = array_->tvalid && take_beat()};
        const bool announced = array_->block_valid && array_->block_ready;
        const bool took = array_->in_valid && array_->in_ready;
        if (took) {
            going_in_.front().advance();
            events.taken = going_in_.front().at_end();
            if (events.taken) going_in_.pop_front();
        }
        array_.tick();
        if (announced) array_->block_valid = 0;
        array_->in_valid = 0;
        array_.settle();
        return events;
    }

private:
    struct Inside {
        ArrayBlock block;
        std::size_t given = 0;   // bytes
    };

    void put_symbols(const SlotCursor& at) {
        const ArrayBlock& block = at.block();
        for (std::uint32_t i = at.first(); i < at.end(); ++i)
            set_word(array_->in_symbols, i - at.first(), static_cast<std::uint32_t>(block.symbols[i]));
        put_classes(array_->in_classes, class_bits(classes_), block, at.first(), at.end());
    }
    /// True if it is the last of its block.
    bool take_beat() {
        Inside& oldest = inside_.front();
        const auto left = oldest.block.bytes.subspan(oldest.given);
        const std::size_t size = std::min<std::size_t>(64, left.size());
        const std::uint64_t keep = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
        bool same = array_->tkeep == keep && (array_->tlast != 0) == (size == left.size());
        for (std::size_t k = 0; k < size && same; ++k) same = byte_of(array_->tdata, k) == left[k];
        if (!same)
            throw std::runtime_error("the encoder's RTL gives other bytes than the codec for a block of " +
                                     std::to_string(oldest.block.header.values) + " values, from byte " +
                                     std::to_string(oldest.given) + " on");
        oldest.given += size;
        if (size < left.size()) return false;
        inside_.pop_front();
        return true;
    }

    std::uint32_t lanes_, classes_;
    mutable Clocked<Rtl> array_;
    std::deque<SlotCursor> going_in_;
    std::deque<Inside> inside_;
};

}   // namespace oscar
