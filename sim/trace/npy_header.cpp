#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/npy.hpp"

namespace oscar {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
[[noreturn]] void fail_header(std::string_view name, std::string_view what) {
    throw TraceError(fmt::format("{}: {}; write it with numpy.save", name, what));
}

/// Reads the header's text, a dictionary in Python's notation: {'descr': '<f4', 'fortran_order': False, 'shape': (8,
/// 5), }
class HeaderText {
public:
    HeaderText(std::string_view text, std::string_view name) : rest_(text), name_(name) {}

    NpyHeader parse() {
        NpyHeader header;
        expect('{');
        while (!accept('}')) {
            take_entry(header);
            if (!accept(',') && !next_is('}')) bad("a ',' or '}' is due");
        }
        if (seen_ != std::set<std::string>{"descr", "fortran_order", "shape"})
            bad("descr, fortran_order, shape are due");
        if (skip_spaces(); !rest_.empty()) bad("something follows '}'");
        return header;
    }

private:
    [[noreturn]] void bad(std::string_view what) const {
        fail_header(name_, fmt::format("malformed .npy header: {} before {}", what, in_quotes(rest_)));
    }

    void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n\t"), rest_.size())); }
    bool next_is(char c) {
        skip_spaces();
        return !rest_.empty() && rest_.front() == c;
    }
    bool accept(char c) {
        const bool there = next_is(c);
        if (there) rest_.remove_prefix(1);
        return there;
    }
    void expect(char c) {
        if (!accept(c)) bad(fmt::format("'{}' is due", c));
    }
    bool accept_word(std::string_view word) {
        skip_spaces();
        const bool there = rest_.starts_with(word);
        if (there) rest_.remove_prefix(word.size());
        return there;
    }

    std::string take_string() {
        skip_spaces();
        const char quote = rest_.empty() ? '\0' : rest_.front();
        if (quote != '\'' && quote != '"') bad("a quoted text is due");
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos) bad("a quote is not closed");
        std::string text(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return text;
    }

    bool take_bool() {
        if (accept_word("True")) return true;
        if (!accept_word("False")) bad("True or False is due");
        return false;
    }

    std::vector<std::uint64_t> take_shape() {
        std::vector<std::uint64_t> shape;
        expect('(');
        while (!accept(')')) {
            std::uint64_t size = 0;
            skip_spaces();
            const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
            if (error != std::errc{}) bad("a size below 2^64 is due");
            rest_.remove_prefix(static_cast<std::size_t>(stop - rest_.data()));
            shape.push_back(size);
            if (!accept(',') && !next_is(')')) bad("a ',' or ')' is due");
        }
        return shape;
    }

    void take_entry(NpyHeader& header) {
        const std::string key = take_string();
        expect(':');
        if (!seen_.insert(key).second) bad(fmt::format("{} stands twice", key));
        if (key == "descr") {
            if (next_is('[')) fail_header(name_, "has a structured dtype; save one fp32 array");
            header.dtype = take_string();
        } else if (key == "fortran_order") {
            header.fortran_order = take_bool();
        } else if (key == "shape") {
            header.shape = take_shape();
        } else {
            bad(fmt::format("unknown key {}", in_quotes(key)));
        }
    }

    std::string_view rest_, name_;
    std::set<std::string> seen_;
};

std::size_t little_endian(std::span<const std::byte> bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
    return value;
}

}   // namespace

NpyHeader parse_npy_header(std::span<const std::byte> file, std::string_view name) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (!text.starts_with(magic)) fail_header(name, file.empty() ? "is empty" : "is no .npy file");
    // After the magic: version (two bytes), then the header's length in two bytes (version 1) or four (2 and 3).
    constexpr std::size_t length_at = magic.size() + 2;
    if (file.size() < length_at + 4)
        fail_header(name, fmt::format("is cut off in its header, after {} bytes", file.size()));
    const auto version = std::to_integer<unsigned>(file[magic.size()]);
    if (version < 1 || version > 3) fail_header(name, fmt::format("has .npy version {}; readable are 1 to 3", version));
    const std::size_t length_bytes = version == 1 ? 2 : 4;
    const std::size_t header_at = length_at + length_bytes;
    const std::size_t length = little_endian(file.subspan(length_at, length_bytes));
    if (length > file.size() - header_at)
        fail_header(name, fmt::format("is cut off in its header: {} bytes expected, {} found", header_at + length,
                                      file.size()));
    NpyHeader header = HeaderText(text.substr(header_at, length), name).parse();
    header.data_offset = header_at + length;
    return header;
}

}   // namespace oscar
