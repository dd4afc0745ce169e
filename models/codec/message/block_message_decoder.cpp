#include <optional>
#include <string>

#include "models/codec/interface/packed.hpp"
#include "models/codec/message/block_header.hpp"
#include "models/codec/message/block_message.hpp"
#include "models/codec/message/inline_table.hpp"

namespace oscar {

namespace {

class MessageDecoder {
public:
    MessageDecoder(std::span<const std::byte> bytes, const Context& context, const Framing& framing,
                   const BlockCoder& coder, const Tables& tables)
        : bytes_(bytes), context_(context), framing_(framing), coder_(coder), tables_(tables), check_(tables.check()) {}

    Block next_block(std::span<Symbol> out, std::uint32_t first_value) {
        const BlockHeader header = header_of_next(static_cast<std::uint32_t>(out.size()));
        const auto payload = bytes_.subspan(at_ + block_header_bytes, header.bytes - block_header_bytes);
        const CodingCost work = header.mode == BlockMode::raw ? decode_raw(header, payload, out)
                                                              : decode_coded(header, payload, first_value, out);
        const Block block{first_value, header.values, at_, header.bytes, work, header.mode, header.check};
        at_ += header.bytes;
        return block;
    }
    void require_end() const { require(at_ == bytes_.size(), "bytes after the last block"); }

private:
    BlockHeader header_of_next(std::uint32_t values) const {
        require(bytes_.size() - at_ >= block_header_bytes, "the message ends before the header");
        const BlockHeader header = read_header(bytes_.subspan(at_));
        require_header_of(header, context_, values);
        require(header.bytes <= bytes_.size() - at_, "total bytes go beyond the message", header.bytes);
        return header;
    }

    CodingCost decode_raw(const BlockHeader& header, std::span<const std::byte> payload, std::span<Symbol> out) const {
        require(header.check == 0, "table check of a raw block is not zero", header.check);
        require(payload.size() == packed_bytes(out.size(), context_.width), "total bytes are not those of a raw block",
                header.bytes);
        read_packed(payload, context_.width, out);
        return packed_work(out.size(), context_.width, framing_.sub_streams_for(header.values));
    }

    CodingCost decode_coded(const BlockHeader& header, std::span<const std::byte> payload, std::uint32_t first_value,
                            std::span<Symbol> out) {
        if (header.mode == BlockMode::coded_inline) payload = payload.subspan(take_table(payload));
        if (coder_.layout() && !sent_) require_common_tables(header.check);
        require(header.check == check_, "table check is not that of the table in use", header.check, check_);
        CodingCost work = coder_.decode(payload, context_.width, framing_.sub_streams_for(header.values),
                                        tables_.part(first_value, out.size()), out);
        work.held_tables = tables_.held();
        work.width = context_.width;
        return work;
    }

    void require_common_tables(std::uint16_t check) const {
        require<TableMismatch>(!tables_.none(), "no table, neither at the decoder nor in the message");
        require<TableMismatch>(check == check_, "table check is not that of the decoder's table", check, check_);
    }

    // From here on the table of the message is the table. Returns its bytes.
    std::size_t take_table(std::span<const std::byte> payload) {
        require(coder_.layout().has_value(), "a table in a message of a codec without tables");
        const std::size_t size = inline_table_bytes(*coder_.layout(), context_.width);
        require(payload.size() >= size, "the block ends before its table does");
        tables_ = &sent_.emplace(read_table(payload.first(size), *coder_.layout(), context_.width));
        check_ = tables_.check();
        return size;
    }

    template <class Error = CorruptStream>
    static void require(bool condition, const char* what) {
        if (!condition) throw Error(what);
    }
    static void require(bool condition, const char* what, std::uint32_t found) {
        if (!condition) throw CorruptStream(what + (": " + std::to_string(found)));
    }
    template <class Error = CorruptStream>
    static void require(bool condition, const char* what, std::uint32_t found, std::uint32_t expected) {
        if (!condition) throw Error(what + (": " + std::to_string(found)) + ", expected " + std::to_string(expected));
    }

    std::span<const std::byte> bytes_;
    const Context& context_;
    const Framing& framing_;
    const BlockCoder& coder_;
    Tables tables_;
    std::uint16_t check_;
    std::optional<Table> sent_;
    std::size_t at_ = 0;
};

}   // namespace

std::vector<Block> decode_message(std::span<const std::byte> bytes, const Context& context, const Framing& framing,
                                  const BlockCoder& coder, const Tables& tables, std::span<Symbol> out) {
    require_legal({}, context.width);
    require_codes(tables, coder, context, out.size());
    MessageDecoder decoder(bytes, context, framing, coder, tables);
    std::vector<Block> blocks;
    const std::size_t full = framing.block_values(out.size());
    for (std::size_t first = 0; first < out.size(); first += full) {
        const std::size_t size = std::min(full, out.size() - first);
        const auto at_block = [&](const auto& error) {
            return "block " + std::to_string(blocks.size()) + ": " + error.what();
        };
        try {
            blocks.push_back(decoder.next_block(out.subspan(first, size), static_cast<std::uint32_t>(first)));
        } catch (const TableMismatch& error) {
            throw TableMismatch(at_block(error));
        } catch (const CorruptStream& error) {
            throw CorruptStream(at_block(error));
        }
    }
    decoder.require_end();
    return blocks;
}

}   // namespace oscar
