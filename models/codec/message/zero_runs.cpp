#include "models/codec/message/zero_runs.hpp"

#include <algorithm>

#include "models/codec/bits/bit_stream.hpp"

namespace oscar {
namespace {

enum Tag : std::uint32_t { all_zero, one_exception, bitmap };
constexpr std::uint32_t tag_bits = 2, position_bits = 6;

CodingCost work_of(std::size_t symbols, std::size_t exceptions, std::uint64_t bits, std::uint32_t sub_streams) {
    const std::size_t groups = (symbols + zero_group - 1) / zero_group;
    CodingCost work;
    work.values = symbols - exceptions;
    work.sub_stream_slots = (groups + sub_streams - 1) / sub_streams;
    work.offset_bits = bits;
    return work;
}

void put_group(BitWriter& writer, std::span<const Symbol> group, std::size_t exceptions) {
    if (exceptions == 0) return writer.put(all_zero, tag_bits);
    if (exceptions == 1) {
        const auto at = std::ranges::find_if(group, [](Symbol s) { return s != 0; }) - group.begin();
        writer.put(one_exception, tag_bits);
        return writer.put(static_cast<std::uint32_t>(at), position_bits);
    }
    writer.put(bitmap, tag_bits);
    for (const Symbol s : group) writer.put(s != 0, 1);
}

/// Calls f(group, exceptions in it).
template <class F>
void for_each_group(std::span<const Symbol> symbols, F&& f) {
    for (std::size_t first = 0; first < symbols.size(); first += zero_group) {
        const auto group = symbols.subspan(first, std::min(zero_group, symbols.size() - first));
        f(group, static_cast<std::size_t>(std::ranges::count_if(group, [](Symbol s) { return s != 0; })));
    }
}

/// Appends the positions of the exceptions of one group that begins at `first`.
void get_group(BitReader& reader, std::size_t first, std::size_t size, std::vector<std::uint32_t>& exceptions) {
    const std::size_t before = exceptions.size();
    const auto add = [&](std::size_t at) { exceptions.push_back(static_cast<std::uint32_t>(first + at)); };
    switch (reader.get(tag_bits)) {
        case all_zero:
            return;
        case one_exception: {
            const std::uint32_t at = reader.get(position_bits);
            if (at >= size) throw CorruptStream("zero runs: an exception lies after its group");
            return add(at);
        }
        case bitmap:
            for (std::size_t i = 0; i < size; ++i)
                if (reader.get(1) != 0) add(i);
            if (exceptions.size() < before + 2) throw CorruptStream("zero runs: a bitmap of fewer than two exceptions");
            return;
        default:
            throw CorruptStream("zero runs: a tag that does not exist");
    }
}

}   // namespace

CodingCost append_zero_runs(std::vector<std::byte>& out, std::span<const Symbol> symbols, std::uint32_t sub_streams) {
    BitWriter writer(out);
    std::size_t exceptions = 0;
    for_each_group(symbols, [&](std::span<const Symbol> group, std::size_t here) {
        put_group(writer, group, here);
        exceptions += here;
    });
    return work_of(symbols.size(), exceptions, writer.finish(), sub_streams);
}

CodingCost zero_runs_work(std::span<const Symbol> symbols, std::uint32_t sub_streams) {
    std::size_t exceptions = 0, bits = 0;
    for_each_group(symbols, [&](std::span<const Symbol> group, std::size_t here) {
        bits += tag_bits + (here == 0 ? 0 : here == 1 ? position_bits : group.size());
        exceptions += here;
    });
    return work_of(symbols.size(), exceptions, bits, sub_streams);
}

ZeroRuns read_zero_runs(std::span<const std::byte> bytes, std::size_t symbols, std::uint32_t sub_streams) {
    BitReader reader(bytes);
    ZeroRuns result;
    for (std::size_t first = 0; first < symbols; first += zero_group)
        get_group(reader, first, std::min(zero_group, symbols - first), result.exceptions);
    const std::uint64_t bits = reader.position();
    if (bytes_for(bits) != bytes.size()) throw CorruptStream("zero runs: the stream does not end where it should");
    if (!reader.skip_padding()) throw CorruptStream("zero runs: the padding of the last byte is not zero");
    result.work = work_of(symbols, result.exceptions.size(), bits, sub_streams);
    return result;
}

}   // namespace oscar
