#include "sim/commands/parts.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "sim/config/error.hpp"
#include "sim/config/find.hpp"
#include "sim/describe/describe.hpp"

namespace oscar {
namespace {

/// The lines of the comment that the file begins with, as one.
std::string comment_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string comment;
    for (std::string line; std::getline(in, line) && line.starts_with("# ");)
        comment += (comment.empty() ? "" : " ") + line.substr(2);
    return comment;
}

/// Without its full stop.
std::string first_sentence(const std::string& text) {
    const std::string first = text.substr(0, text.find(". "));
    return first.ends_with('.') ? first.substr(0, first.size() - 1) : first;
}

}   // namespace

std::string list_of_bases(const BaseFamily& family, std::size_t width) {
    std::vector<DescribeRow> rows;
    for (const std::string& name : names_of_bases(family.folder))
        rows.push_back({"  " + name, "", "", first_sentence(comment_of(find_base_named(name).value()))});
    return fmt::format("oscar-sim describe {} NAME; an experiment takes it by base: [NAME]\n\n", family.name) +
           describe_table(rows, width, {std::string(family.name), "", "", "meaning"});
}

std::string text_of_base(const BaseFamily& family, const std::string& name) {
    const auto file = find_base_named(name);
    if (!file || file->parent_path().filename() != family.folder)
        throw InputError(fmt::format("describe: no {0} '{1}'{2}; `oscar-sim describe {0}` lists them", family.name,
                                     name, suggested_base(name)));
    std::ostringstream text;
    text << std::ifstream(*file).rdbuf();
    return fmt::format("{}\n\n{}", file->string(), text.str());
}

}   // namespace oscar
