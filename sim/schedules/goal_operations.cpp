#include "sim/schedules/goal_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{16} << 30, most_ranks = 4096, most_processors = 4095;
constexpr std::uint64_t most_nanoseconds = 100'000'000'000;   // of one calculation, as of one in a list of flows

bool is_any(const std::string& word) { return word == "any" || word == "*" || word == "-1"; }

/// The text with blanks in place of comments. InputError: one has no end.
std::string without_comments(std::string text) {
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool longer = text.compare(at, 2, "/*") == 0;
        std::size_t end = at;
        if (longer) end = text.find("*/", at + 2);
        else if (text[at] == '#' || text.compare(at, 2, "//") == 0) end = std::min(text.find('\n', at), text.size());
        if (end == std::string::npos)
            throw InputError(fmt::format("line {}: a comment begins with /* and has no end; write */", line));
        if (longer) end += 2;
        for (; at < end; ++at)
            if (text[at] == '\n') ++line;
            else text[at] = ' ';
        if (at < text.size() && text[at] == '\n') ++line;
    }
    return text;
}

/// The words of a line, with its number for messages.
class Line {
public:
    Line(const std::string& text, std::size_t number) : number_(number) {
        std::istringstream words(text);
        for (std::string word; words >> word;) words_.push_back(std::move(word));
    }
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("line {}: {}", number_, what));
    }
    bool empty() const { return words_.empty(); }
    std::size_t size() const { return words_.size(); }
    std::size_t number() const { return number_; }
    const std::string& operator[](std::size_t i) const { return words_[i]; }

    /// Word i as a number with perhaps a unit behind it; `what` names it.
    std::uint64_t count(std::size_t i, const char* what, std::uint64_t most, std::string_view unit = "") const {
        if (i >= size()) fail(fmt::format("has no {}", what));
        std::string_view word = words_[i];
        if (!unit.empty() && word.ends_with(unit)) word.remove_suffix(unit.size());
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error != std::errc{} || end != word.data() + word.size() || value > most)
            fail(fmt::format("{} is '{}'; write a whole number from 0 to {}{}", what, words_[i], most,
                             unit.empty() ? "" : fmt::format(", like 8{}", unit)));
        return value;
    }

private:
    std::size_t number_;
    std::vector<std::string> words_;
};

/// Reads line by line: what stands outside of ranks, and what stands in one.
class Reader {
public:
    void take(const Line& line) {
        if (line.empty()) return;
        if (!ranks_) return take_number_of_ranks(line);
        if (!rank_) return begin_rank(line);
        if (line[0] == "}") return end_rank(line);
        if (line[0].ends_with(':')) return take_operation(line);
        take_requirement(line);
    }
    GoalOperations finish() {
        if (!ranks_) throw InputError("there is no num_ranks; write it like num_ranks 16");
        if (rank_) throw InputError(fmt::format("rank {} has no end; write }}", *rank_));
        return {*ranks_, std::move(operations_)};
    }

private:
    void take_number_of_ranks(const Line& line) {
        if (line[0] != "num_ranks" || line.size() != 2)
            line.fail(fmt::format("'{}' where the number of ranks is to stand; write it like num_ranks 16", line[0]));
        ranks_ = static_cast<std::uint32_t>(line.count(1, "num_ranks", most_ranks));
        if (*ranks_ < 2) line.fail(fmt::format("num_ranks is {}; there must be two at least", *ranks_));
    }
    void begin_rank(const Line& line) {
        if (line[0] != "rank" || line.size() != 3 || line[2] != "{")
            line.fail(fmt::format("'{}' outside of a rank; write rank 0 {{", line[0]));
        rank_ = static_cast<std::uint32_t>(line.count(1, "rank", *ranks_ - 1));
        if (!begun_.insert(*rank_).second) line.fail(fmt::format("rank {} stands twice", *rank_));
    }
    void end_rank(const Line& line) {
        for (const auto& [number, later, name, begun] : requirements_) {
            const auto found = labels_.find(name);
            if (found == labels_.end())
                throw InputError(fmt::format("line {}: there is no operation '{}' at rank {}", number, name, *rank_));
            GoalOperation& operation = operations_[later];
            (begun ? operation.begun : operation.required).push_back(found->second);
        }
        if (line.size() > 1) line.fail(fmt::format("'{}' behind }}; begin a line", line[1]));
        requirements_.clear();
        labels_.clear();
        rank_.reset();
    }
    void take_operation(const Line& line) {
        const std::string label = line[0].substr(0, line[0].size() - 1);
        if (!labels_.try_emplace(label, operations_.size()).second)
            line.fail(fmt::format("there is an operation '{}' at rank {} already", label, *rank_));
        if (line.size() < 2) line.fail(fmt::format("'{}' has no operation; write send, recv or calc", label));
        GoalOperation operation;
        operation.rank = *rank_;
        operation.line = line.number();
        if (line[1] == "calc") take_calculation(line, operation);
        else if (line[1] == "send" || line[1] == "recv") take_message(line, operation);
        else line.fail(fmt::format("'{}' is no operation; write send, recv or calc", line[1]));
        operations_.push_back(operation);
    }
    static void take_calculation(const Line& line, GoalOperation& operation) {
        operation.nanoseconds = line.count(2, "calc", most_nanoseconds);
        take_rest(line, 3, operation);
    }
    void take_message(const Line& line, GoalOperation& operation) const {
        const bool sends = line[1] == "send";
        operation.kind = sends ? GoalOperation::Kind::send : GoalOperation::Kind::receive;
        operation.bytes = line.count(2, "size", most_bytes, "b");
        if (line.size() < 4 || line[3] != (sends ? "to" : "from"))
            line.fail(fmt::format("write it like {} {}b {} 1", line[1], operation.bytes, sends ? "to" : "from"));
        if (line.size() > 4 && !sends && is_any(line[4]))
            line.fail("takes a message of any source, a wildcard: whose it is depends on times; name the rank");
        operation.peer = static_cast<std::uint32_t>(line.count(4, "peer", *ranks_ - 1));
        if (operation.peer == *rank_) line.fail(fmt::format("rank {} sends to itself", *rank_));
        take_rest(line, 5, operation);
    }
    /// Pairs of a word and a number.
    static void take_rest(const Line& line, std::size_t i, GoalOperation& operation) {
        for (; i < line.size(); i += 2) {
            if (line[i] != "tag" && line[i] != "cpu" && line[i] != "nic")
                line.fail(fmt::format("'{}' is neither tag nor cpu nor nic", line[i]));
            if (line[i] == "tag" && operation.kind == GoalOperation::Kind::receive && i + 1 < line.size() &&
                is_any(line[i + 1])) {
                operation.tag.reset();
                continue;
            }
            const std::uint64_t most = line[i] == "cpu" ? most_processors : ~std::uint64_t{0} >> 1;
            const std::uint64_t value = line.count(i + 1, line[i].c_str(), most);
            if (line[i] == "tag") operation.tag = value;
            if (line[i] == "cpu") operation.processor = static_cast<std::uint32_t>(value);
        }
    }
    void take_requirement(const Line& line) {
        if (line.size() != 3 || (line[1] != "requires" && line[1] != "irequires"))
            line.fail(fmt::format("'{}' is neither an operation (l1: send 8b to 1) nor a requirement (l2 requires l1)",
                                  line[0]));
        const auto later = labels_.find(line[0]);
        if (later == labels_.end()) line.fail(fmt::format("there is no operation '{}' at rank {}", line[0], *rank_));
        requirements_.push_back({line.number(), later->second, line[2], line[1] == "irequires"});
    }

    struct Requirement {
        std::size_t line;
        std::size_t later;
        std::string earlier;
        bool begun;   // irequires
    };
    std::optional<std::uint32_t> ranks_, rank_;
    std::set<std::uint32_t> begun_;
    std::map<std::string, std::size_t> labels_;
    std::vector<Requirement> requirements_;
    std::vector<GoalOperation> operations_;
};

}   // namespace

GoalOperations read_goal_operations(const std::string& text) {
    Reader reader;
    std::istringstream lines(without_comments(text));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) reader.take(Line(line, ++number));
    return reader.finish();
}

}   // namespace oscar
