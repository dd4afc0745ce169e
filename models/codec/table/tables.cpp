#include "models/codec/table/tables.hpp"

#include <boost/crc.hpp>

#include "models/codec/bits/little_endian.hpp"

namespace oscar {

std::uint16_t Tables::check() const {
    if (one_ == nullptr) return 0;
    if (check_) return *check_;
    if (count() == 1) return one_->check();
    std::vector<std::byte> checks;
    for (const Table* table : by_class_) append_little_endian(checks, table->check(), 2);
    boost::crc_ccitt_type crc;
    crc.process_bytes(checks.data(), checks.size());
    return static_cast<std::uint16_t>(crc.checksum());
}

}   // namespace oscar
