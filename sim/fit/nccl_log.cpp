#include "sim/fit/nccl_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

constexpr double longest_us = 1e12;

using Words = std::vector<std::string>;

Words words_of(std::string_view line) {
    std::istringstream stream{std::string(line)};
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// Without "[1,0]<stdout>:" of mpirun --tag-output or "0: " of srun --label.
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

std::optional<double> number_in(const std::string& word) {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || word.empty() || !std::isfinite(value)) return std::nullopt;
    return value;
}

/// Where the columns of one half of the table stand.
struct Columns {
    std::size_t time = 0, algbw = 0, busbw = 0;
    std::optional<std::size_t> wrong;   ///< old versions print the largest error instead
};

/// The line that names the columns, and those of out-of-place and in-place.
class Header {
public:
    /// Takes the words after '#'; false if they name no columns.
    bool read(const Words& words) {
        if (words.size() < 3 || words[1] != "size") return false;
        halves_.clear();
        width_ = words.size() - 1;
        for (std::size_t i = 1; i + 3 < words.size(); ++i)
            if (words[i] == "time" && words[i + 1] == "algbw" && words[i + 2] == "busbw")
                halves_.push_back({i - 1, i, i + 1, words[i + 3] == "#wrong" ? std::optional(i + 2) : std::nullopt});
        return !halves_.empty();
    }
    bool is_known() const { return !halves_.empty(); }
    std::size_t width() const { return width_; }
    const std::vector<Columns>& halves() const { return halves_; }

private:
    std::vector<Columns> halves_;
    std::size_t width_ = 0;
};

/// Reads line after line.
class Reader {
public:
    void take(std::string_view line) {
        ++line_;
        const Words words = words_of(line);
        if (words.empty()) return;
        if (words.front().starts_with('#')) return take_remark(words);
        if (number_in(words.front()) && header_.is_known()) take_row(words);
    }

    NcclLog log() {
        if (log_.times.empty())
            throw InputError(
                "there is no table of nccl-tests in it; give what all_reduce_perf printed, from '# nThread' on");
        for (const auto& [host, ranks] : ranks_on_) {
            log_.ranks += ranks;
            if (ranks != ranks_on_.begin()->second)
                throw InputError(
                    fmt::format("{} has {} ranks, and {} has {}; give logs of nodes with equally many ranks",
                                ranks_on_.begin()->first, ranks_on_.begin()->second, host, ranks));
            log_.ranks_per_node = ranks;
        }
        for (const Rates& rates : rates_) check(rates);
        return std::move(log_);
    }

private:
    struct Rates {
        std::size_t line;
        double algbw, busbw;
    };

    /// "#  Rank  0 Group  0 Pid 41000 on      HOST device  0 [0x07] NVIDIA A100-SXM4-40GB"
    void take_remark(const Words& words) {
        const auto on = std::ranges::find(words, "on");
        const bool is_device = words.size() > 2 && words[1] == "Rank" && words.end() - on > 2 && on[2] == "device";
        if (is_device) ++ranks_on_[on[1]];
        else header_.read(words);
    }

    void take_row(const Words& words) {
        if (words.size() < header_.width())
            fail(fmt::format("holds {} of {} columns; give the whole log", words.size(), header_.width()));
        const double size = at(words, 0);
        if (size == 0) return;
        for (const Columns& half : header_.halves()) {
            if (words[half.time] == "N/A") continue;
            const double us = at(words, half.time);
            if (!(us > 0) || us > longest_us)
                fail(fmt::format("has a time of {} us, which no AllReduce takes; leave that line out", us));
            if (half.wrong && number_in(words[*half.wrong]).value_or(0) > 0)
                fail("has wrong sums; times of sums that are wrong are not fitted");
            log_.times.push_back({Bytes{static_cast<std::uint64_t>(size)}, Time{std::llround(us * 1e6)}});
            rates_.push_back({line_, at(words, half.algbw), at(words, half.busbw)});
            return;
        }
    }

    double at(const Words& words, std::size_t column) const {
        if (const auto number = number_in(words[column]); number && *number >= 0 && *number < 1e15) return *number;
        fail(fmt::format("holds '{}' where a number is due; give the log as it was printed", words[column]));
    }

    /// Both rates are printed with two decimals; small ones tell nothing.
    void check(const Rates& rates) const {
        if (log_.ranks == 0 || rates.algbw < 1) return;
        const double of_all_reduce = 2 * (1 - 1.0 / log_.ranks);
        if (std::abs(rates.busbw - of_all_reduce * rates.algbw) <= 0.02) return;
        throw InputError(
            fmt::format("line {}: busbw is {:.2f} times algbw, and of an AllReduce on {} ranks {:.2f} times; give a "
                        "log of all_reduce_perf",
                        rates.line, rates.busbw / rates.algbw, log_.ranks, of_all_reduce));
    }

    [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("line {}: {}", line_, what)); }

    std::size_t line_ = 0;
    Header header_;
    NcclLog log_;
    std::vector<Rates> rates_;
    std::map<std::string, std::uint32_t> ranks_on_;
};

}   // namespace

NcclLog read_nccl_log(const std::string& text) {
    std::istringstream stream(text);
    Reader reader;
    for (std::string line; std::getline(stream, line);) reader.take(without_tag(line));
    return reader.log();
}

}   // namespace oscar
