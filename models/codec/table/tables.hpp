// The tables that one message is coded with: one for all symbols, or one for each class of symbols.
#pragma once

#include <boost/crc.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/bits/little_endian.hpp"
#include "models/codec/table/table.hpp"

namespace oscar {

/// A view; tables and classes outlive it. Both ends know the classes of the symbols before the message comes.
class Tables {
public:
    /// One table for every symbol; null: there is none yet.
    Tables(const Table* one = nullptr) : one_(one) {}   // NOLINT(google-explicit-constructor): the common case
    /// Symbol i is coded with the table of classes[i]; without tables the classes are known all the same.
    /// Precondition: no table is null, classes[i] < by_class.size() if there are any.
    Tables(std::span<const Table* const> by_class, std::span<const std::uint8_t> classes)
        : one_(by_class.empty() ? nullptr : by_class.front()), by_class_(by_class), classes_(classes) {}

    bool none() const { return one_ == nullptr; }   ///< true if there is no table yet
    /// Number of tables: one per class, or 1, also where there is none yet.
    std::size_t count() const { return by_class_.empty() ? 1 : by_class_.size(); }
    /// Number of tables of the whole message; 0 where there is none yet.
    std::size_t held() const { return one_ == nullptr ? 0 : held_.value_or(count()); }
    /// The table of class c; without classes the same for any c, null if there is none.
    const Table* of_class(std::size_t c) const { return by_class_.empty() ? one_ : by_class_[c]; }
    /// Per symbol; empty where nothing is known of them.
    std::span<const std::uint8_t> classes() const { return classes_; }

    /// The tables of symbols first .. first + size - 1.
    Tables part(std::size_t first, std::size_t size) const {
        Tables result = *this;
        if (!classes_.empty()) result.classes_ = classes_.subspan(first, size);
        return result;
    }
    /// The table of class c alone, for a piece of the message that has its symbols only; the last one's beyond them.
    /// Its check is `check`, that of all, so that each piece speaks for the tables of every class.
    Tables only(std::size_t c, std::uint16_t check) const {
        Tables result(of_class(std::min(c, count() - 1)));
        result.check_ = check;
        result.held_ = held();
        return result;
    }
    /// 16 bits over all tables, for the header of a block: Table::check() of a single one, a CRC-16 over the checks of
    /// many, 0 of none.
    std::uint16_t check() const {
        if (one_ == nullptr) return 0;
        if (check_) return *check_;
        if (count() == 1) return one_->check();
        std::vector<std::byte> checks;
        for (const Table* table : by_class_) append_little_endian(checks, table->check(), 2);
        boost::crc_ccitt_type crc;
        crc.process_bytes(checks.data(), checks.size());
        return static_cast<std::uint16_t>(crc.checksum());
    }

private:
    const Table* one_;
    std::span<const Table* const> by_class_;
    std::span<const std::uint8_t> classes_;
    std::optional<std::uint16_t> check_;
    std::optional<std::size_t> held_;
};

}   // namespace oscar
