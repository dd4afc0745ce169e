#include "sim/fit/nccl_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "sim/config/error.hpp"
#include "sim/fit/measured_rows.hpp"
#include "sim/fit/nccl_json.hpp"

namespace oscar {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
    std::istringstream stream{std::string(line)};
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// Without "[1,0]<stdout>:" of mpirun --tag-output or "0: " of srun --label, which may touch a number.
std::string_view without_tag(std::string_view line) {
    const auto digits_from = [&](std::size_t at) {
        const std::size_t end = line.find_first_not_of("0123456789", at);
        return end == at ? std::string_view::npos : end;
    };
    std::size_t at = digits_from(0);
    if (line.starts_with('[')) {
        if (at = digits_from(1); at >= line.size() || line[at] != ',') return line;
        if (at = digits_from(at + 1); at >= line.size() || line[at] != ']') return line;
        at = line.substr(at + 1).starts_with("<std") ? line.find('>', at) : at;
        if (at != std::string_view::npos) ++at;
    }
    return at < line.size() && line[at] == ':' ? line.substr(at + 1) : line;
}

/// Where a remark of nccl-tests begins: the index behind the word that ends with '#'; 0: the line is none.
std::size_t remark_in(const Words& words) {
    const auto hash = std::ranges::find_if(words, [](const std::string& word) { return word.ends_with('#'); });
    return hash == words.end() ? 0 : static_cast<std::size_t>(hash - words.begin()) + 1;
}

/// Where the columns of one half of the table stand.
struct Columns {
    std::size_t time = 0, algbw = 0, busbw = 0;
    std::optional<std::size_t> wrong;   ///< old versions print the largest error instead
};

/// The line that names the columns, and where they stand in the lines below it, whose first words are prefixes.
class Header {
public:
    /// Takes a remark that begins at words[begin]; false if it names no columns.
    bool read(const Words& words, std::size_t begin) {
        if (words.size() < begin + 3 || words[begin] != "size") return false;
        const auto column_of = [&](std::size_t word) { return prefix_ + word - begin; };
        const auto find = [&](std::string_view name) -> std::optional<std::size_t> {
            const auto found = std::ranges::find(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end(), name);
            return found == words.end() ? std::nullopt
                                        : std::optional(column_of(static_cast<std::size_t>(found - words.begin())));
        };
        prefix_ = words[begin - 1] == "#" ? begin - 1 : begin;   // "tag:#" leaves the word "tag:" in a row
        halves_.clear();
        for (std::size_t i = begin + 1; i + 2 < words.size(); ++i)
            if (words[i] == "time" && words[i + 1] == "algbw" && words[i + 2] == "busbw")
                halves_.push_back({column_of(i), column_of(i + 1), column_of(i + 2),
                                   i + 3 < words.size() && words[i + 3] == "#wrong" ? std::optional(column_of(i + 3))
                                                                                    : std::nullopt});
        width_ = column_of(words.size());
        redop_ = find("redop");
        root_ = find("root");
        has_cpu_times_ = find("cputime").has_value();
        return !halves_.empty() || has_cpu_times_;
    }

    bool is_known() const { return !halves_.empty(); }
    bool has_cpu_times() const { return has_cpu_times_; }
    std::size_t prefix() const { return prefix_; }   ///< words before the first column
    std::size_t width() const { return width_; }     ///< words of a row, with its prefix
    const std::vector<Columns>& halves() const { return halves_; }
    std::optional<std::size_t> redop() const { return redop_; }
    std::optional<std::size_t> root() const { return root_; }

private:
    std::vector<Columns> halves_;
    std::optional<std::size_t> redop_, root_;
    std::size_t prefix_ = 0, width_ = 0;
    bool has_cpu_times_ = false;
};

/// Reads line after line.
class LogReader {
public:
    void take(std::string_view line) {
        ++line_;
        const Words words = words_of(line);
        if (const std::size_t begin = remark_in(words); begin > 0) return take_remark(words, begin);
        if (header_.is_known() && words.size() > header_.prefix() && number_in(words[header_.prefix()]))
            take_row(words);
    }

    const MeasuredRows& rows() const { return rows_; }

private:
    /// "#  Rank  0 Group  0 Pid 41000 on      HOST device  0 [0x07] NVIDIA A100-SXM4-40GB"
    void take_remark(const Words& words, std::size_t begin) {
        const auto on = std::find(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end(), "on");
        if (words.size() > begin + 1 && words[begin] == "Rank" && words.end() - on > 2 && on[2] == "device")
            return take_device(words[begin + 1], on[1]);
        if (header_.read(words, begin)) rows_.begin_table(place());
        if (header_.has_cpu_times()) fail("has CPU times, in which a GPU is not waited for; run without -C");
        for (const std::string& word : words) rows_.add_program(word, place());
    }

    void take_device(const std::string& rank, const std::string& host) {
        const auto number = number_in(rank);
        if (!number || *number < 0 || *number > 65536)
            fail(fmt::format("lists the rank '{}'; give the whole log", rank));
        rows_.add_device(static_cast<std::uint32_t>(*number), host, place());
    }

    void take_row(const Words& words) {
        if (words.size() < header_.width())
            fail(fmt::format("holds {} of {} columns; give the whole log", words.size() - header_.prefix(),
                             header_.width() - header_.prefix()));
        for (const Columns& half : header_.halves()) {
            if (words[half.time] == "N/A") continue;
            MeasuredRow row{place(), header_.redop() ? words[*header_.redop()] : ""};
            if (header_.root()) row.root = number_in(words[*header_.root()]).value_or(-1);
            row.size = at(words, header_.prefix());
            row.time_us = at(words, half.time);
            row.algbw = at(words, half.algbw);
            row.busbw = at(words, half.busbw);
            row.wrong = half.wrong ? number_in(words[*half.wrong]).value_or(0) : 0;
            return rows_.add(row);
        }
    }

    double at(const Words& words, std::size_t column) const {
        if (const auto number = number_in(words[column]); number && *number >= 0 && *number < 1e15) return *number;
        fail(fmt::format("holds '{}' where a number is due; give the log as it was printed", words[column]));
    }

    std::string place() const { return fmt::format("line {}", line_); }
    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{}: {}", place(), what)); }

    std::size_t line_ = 0;
    Header header_;
    MeasuredRows rows_;
};

}   // namespace

NcclLog read_nccl_log(const std::string& text, std::optional<std::uint32_t> ranks) {
    if (is_nccl_json(text)) return read_nccl_json(text).log(ranks);
    std::istringstream stream(text);
    LogReader reader;
    for (std::string line; std::getline(stream, line);) reader.take(without_tag(line));
    return reader.rows().log(ranks);
}

}   // namespace oscar
