#include "sim/schedules/goal_operations.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30, most_ranks = 4096;

/// The words of a line, with its number for messages.
class Line {
public:
    Line(std::string text, std::size_t number) : number_(number) {
        for (const char* mark : {"#", "//"})
            if (const std::size_t comment = text.find(mark); comment != std::string::npos) text.resize(comment);
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
        for (const auto& [number, later, name] : requirements_) {
            const auto found = labels_.find(name);
            if (found == labels_.end())
                throw InputError(fmt::format("line {}: there is no operation '{}' at rank {}", number, name, *rank_));
            operations_[later].required.push_back(found->second);
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
        if (line[1] == "calc") take_calculation(line);
        else if (line[1] == "send" || line[1] == "recv") take_message(line, operation);
        else line.fail(fmt::format("'{}' is no operation; write send, recv or calc", line[1]));
        operations_.push_back(operation);
    }
    void take_calculation(const Line& line) const {
        if (const std::uint64_t time = line.count(2, "calc", ~std::uint64_t{0}); time > 0)
            line.fail(
                fmt::format("calc {} takes time, which no message here waits for; write calc 0, and give the "
                            "first messages a start of their own",
                            time));
        take_rest(line, 3);
    }
    void take_message(const Line& line, GoalOperation& operation) const {
        const bool sends = line[1] == "send";
        operation.kind = sends ? GoalOperation::Kind::send : GoalOperation::Kind::receive;
        operation.bytes = line.count(2, "size", most_bytes, "b");
        if (line.size() < 4 || line[3] != (sends ? "to" : "from"))
            line.fail(fmt::format("write it like {} {}b {} 1", line[1], operation.bytes, sends ? "to" : "from"));
        operation.peer = static_cast<std::uint32_t>(line.count(4, "peer", *ranks_ - 1));
        if (operation.peer == *rank_) line.fail(fmt::format("rank {} sends to itself", *rank_));
        operation.tag = take_rest(line, 5);
    }
    /// Pairs of a word and a number; returns the tag.
    static std::uint64_t take_rest(const Line& line, std::size_t i) {
        std::uint64_t tag = 0;
        for (; i < line.size(); i += 2) {
            if (line[i] != "tag" && line[i] != "cpu" && line[i] != "nic")
                line.fail(fmt::format("'{}' is neither tag nor cpu nor nic", line[i]));
            const std::uint64_t value = line.count(i + 1, line[i].c_str(), ~std::uint64_t{0} >> 1);
            if (line[i] == "tag") tag = value;
        }
        return tag;
    }
    void take_requirement(const Line& line) {
        if (line.size() != 3 || (line[1] != "requires" && line[1] != "irequires"))
            line.fail(fmt::format("'{}' is neither an operation (l1: send 8b to 1) nor a requirement (l2 requires l1)",
                                  line[0]));
        const auto later = labels_.find(line[0]);
        if (later == labels_.end()) line.fail(fmt::format("there is no operation '{}' at rank {}", line[0], *rank_));
        requirements_.push_back({line.number(), later->second, line[2]});
    }

    struct Requirement {
        std::size_t line;
        std::size_t later;
        std::string earlier;
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
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) reader.take(Line(std::move(line), ++number));
    return reader.finish();
}

}   // namespace oscar
