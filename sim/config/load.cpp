#include "sim/config/load.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>
#include <utility>

#include "sim/config/regular_file.hpp"
#include "sim/config/text.hpp"
#include "sim/config/tree_builder.hpp"

namespace oscar {
namespace {

/// Line number `line` of a text, from 0, without its end; empty where there is none.
std::string_view line_of(std::string_view text, int line) {
    for (; line > 0 && !text.empty(); --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    return text.substr(0, text.find('\n'));
}

/// The first line, from 0, that is indented by a tab, of the one at `line` and the one before, where the parser notices
/// it.
std::optional<int> line_with_tab(std::string_view text, int line) {
    for (const int at : {line - 1, line}) {
        if (at < 0) continue;
        const std::string_view found = line_of(text, at);
        const std::size_t content = found.find_first_not_of(" \t\r");
        if (content != found.npos && found.substr(0, content).find('\t') != found.npos) return at;
    }
    return std::nullopt;
}

/// Throws the ConfigError for a text that is not YAML: what is wrong, where it can be told, at the place to mend.
[[noreturn]] void refuse_yaml(std::string_view yaml, const Origin& origin, const TreeBuilder& tree,
                              const YAML::Exception& error) {
    ConfigNode place;
    place.path = origin.path;
    place.location = locate(origin, error.mark);
    if (const auto line = line_with_tab(yaml, error.mark.line); line && origin.has_lines) {
        place.location = {origin.source, static_cast<std::uint32_t>(*line + 1), 1};
        place.fail("is indented by a tab, which YAML does not take; indent by spaces");
    }
    if (error.msg == YAML::ErrorMsg::FLOW_END)
        place.fail("the bracket here closes one of the other kind, or none; check the brackets before it");
    const bool lacks_end = error.msg == YAML::ErrorMsg::END_OF_SEQ_FLOW || error.msg == YAML::ErrorMsg::END_OF_MAP_FLOW;
    if (const auto open = tree.open_bracket(); lacks_end && open && origin.has_lines)
        open->fail(
            fmt::format("the {} that opens here is not closed before {}:{}; close it, or check what stands there",
                        open->form == ConfigNode::Form::list ? "bracket [" : "brace {", error.mark.line + 1,
                        error.mark.column + 1));
    place.fail(fmt::format("is not YAML ({}); check brackets, quotes and indentation here", error.msg));
}

std::optional<ConfigNode> parse_document(std::string_view yaml, const Origin& origin) {
    TreeBuilder first(origin), second(origin);
    try {
        std::istringstream stream{std::string(yaml)};
        YAML::Parser parser(stream);
        parser.HandleNextDocument(first);
        if (!parser.HandleNextDocument(second)) return first.root();
    } catch (const YAML::Exception& error) {
        refuse_yaml(yaml, origin, first, error);
    }
    ConfigNode place;
    place.path = origin.path;
    place.location = second.start().value_or(Location{origin.source});
    place.fail("a second YAML document starts here; split them into files");
}

/// More than any configuration holds; what is longer is no configuration, and its tree would fill the memory.
constexpr std::size_t most_bytes = std::size_t{16} << 20;

std::string read_all(int descriptor, const std::string& name) {
    std::string text;
    std::array<char, 1 << 16> part;
    while (const ssize_t count = ::read(descriptor, part.data(), part.size())) {
        if (count < 0) throw ConfigError(fmt::format("{}: cannot be read ({})", name, std::strerror(errno)));
        text.append(part.data(), static_cast<std::size_t>(count));
        if (text.size() > most_bytes)
            throw ConfigError(fmt::format("{}: holds more than {} MiB; name a YAML file", name, most_bytes >> 20));
    }
    return text;
}

std::string read_file(const std::filesystem::path& file) {
    const std::string name = file.string();
    try {
        return read_all(RegularFile(file).descriptor(), name);
    } catch (const CannotOpen& error) {
        const bool is_another = error.reason != CannotOpen::Reason::unreadable;
        throw ConfigError(fmt::format("{}: {}{}", name, error.what(), is_another ? "; name a YAML file" : ""));
    }
}

/// `path.to.key=VALUE`, taken apart.
struct Override {
    std::string path;
    ConfigNode value;
};

std::vector<std::string> split_path(std::string_view path) {
    std::vector<std::string> keys{""};
    for (const char c : path) {
        if (c == '.') keys.emplace_back();
        else keys.back() += c;
    }
    return keys;
}

[[noreturn]] void refuse(std::string_view assignment, std::string_view what) {
    throw ConfigError(
        fmt::format("--set {}: {}; write it like --set network.link.bandwidth=400Gbps", shortened(assignment), what));
}

Override take_apart(std::string_view assignment) {
    const std::size_t sign = assignment.find('=');
    if (sign == std::string_view::npos) refuse(assignment, "there is no '='");
    const std::string path(assignment.substr(0, sign));
    std::vector<std::string> keys = split_path(path);
    if (std::find(keys.begin(), keys.end(), "") != keys.end()) refuse(assignment, "a key is empty");
    Origin origin{fmt::format("--set {}", shortened(assignment)), false, keys.back(), path};
    std::optional<ConfigNode> value = parse_document(assignment.substr(sign + 1), origin);
    if (!value) refuse(assignment, "there is no value after '=' (null restores the default)");
    return {path, *std::move(value)};
}

ConfigNode& append(ConfigNode& map, std::string_view key, const Location& location) {
    ConfigNode entry = map.child(key);
    entry.location = entry.key_location = location;
    return map.children.emplace_back(std::move(entry));
}

/// A single value becomes the map {kind: value}, nothing becomes an empty map.
void make_map(ConfigNode& node, const Location& location) {
    const bool has_kind = node.form == ConfigNode::Form::scalar;
    node.form = ConfigNode::Form::map;
    if (has_kind) {
        ConfigNode& kind = append(node, "kind", node.location);
        kind.form = ConfigNode::Form::scalar;
        kind.text = std::exchange(node.text, "");
    } else {
        node.location = location;
    }
}

/// The entry `key` of `node`, made if it is missing.
ConfigNode& enter(ConfigNode& node, const std::string& key, const Location& location) {
    if (node.form == ConfigNode::Form::null || node.form == ConfigNode::Form::scalar) make_map(node, location);
    for (ConfigNode& entry : node.children)
        if (entry.key == key) return entry;
    if (node.form == ConfigNode::Form::map) return append(node, key, location);
    node.location = location;
    node.fail(fmt::format("has no entry {}; it holds {} (they count from 0)", key, node.children.size()));
}

/// Gives the node a new place in a tree, and its entries places below it.
void move_to(ConfigNode& node, std::string path) {
    node.path = std::move(path);
    for (ConfigNode& entry : node.children) move_to(entry, join_path(node.path, entry.key));
}

/// The text that chooses a kind at `node`; empty where none is named.
std::string_view kind_of(const ConfigNode& node) {
    const ConfigNode* kind = node.form == ConfigNode::Form::map ? node.find("kind") : &node;
    return kind == nullptr ? "" : std::string_view(kind->text);
}

/// Marks the parameters in `map` as those of the kind that it has now, before it becomes one of the kind `next`; those
/// of that kind come home.
void mark_kind(ConfigNode& map, std::string_view next) {
    const std::string held(kind_of(map));
    if (next.empty() || next == held) return;
    for (ConfigNode& entry : map.children) {
        if (entry.key == "kind") continue;
        if (entry.of_kind.empty()) entry.of_kind = held.empty() ? "the default" : held;
        else if (entry.of_kind == next) entry.of_kind.clear();
    }
}

/// Without the folder: a report that quotes it is the same wherever the files lie.
std::string brief(Location location) {
    if (location.line > 0) location.source = std::filesystem::path(location.source).filename().string();
    return location.text();
}

/// What is lost where `above` replaces `below` as a whole, in words; empty where that is nothing, or was asked for.
std::string loss(const ConfigNode& below, const ConfigNode& above) {
    using Form = ConfigNode::Form;
    if (below.form == Form::list && above.form == Form::list)
        return fmt::format("the list at {}", brief(below.location));
    if (below.form != Form::map || above.form != Form::scalar) return "";
    std::vector<std::string_view> keys;
    for (const ConfigNode& entry : below.children)
        if (entry.key != "kind") keys.push_back(entry.key);
    return keys.empty() ? "" : fmt::format("{} at {}", fmt::join(keys, ", "), brief(below.location));
}

void replace(ConfigNode& below, ConfigNode above) {
    above.replaced = loss(below, above);
    below = std::move(above);
}

}   // namespace

ConfigNode parse_config(std::string_view yaml, std::string_view source) {
    std::optional<ConfigNode> root = parse_document(yaml, {std::string(source), true, "", ""});
    if (!root || root->form == ConfigNode::Form::null)
        throw ConfigError(fmt::format("{}:1:1: is empty; write at least one parameter, like seed: 1", source));
    return *std::move(root);
}

ConfigNode load_config(const std::filesystem::path& file) { return parse_config(read_file(file), file.string()); }

ConfigNode load_standard_input() {
    static const std::string name = "standard input";
    return parse_config(read_all(STDIN_FILENO, name), name);
}

void set_value(ConfigNode& root, std::string_view path, ConfigNode value) {
    const std::vector<std::string> keys = split_path(path);
    ConfigNode *node = &root, *holder = nullptr;
    for (const std::string& key : keys) node = &enter(*(holder = node), key, value.location);
    value.key = keys.back();
    move_to(value, std::string(path));
    if (value.key == "kind") mark_kind(*holder, value.text);
    if (value.form == ConfigNode::Form::list) *node = std::move(value);   // named by itself, to be another
    else overlay(*node, std::move(value));
}

void overlay(ConfigNode& below, ConfigNode above) {
    if (above.form != ConfigNode::Form::map || below.form == ConfigNode::Form::list)
        return replace(below, std::move(above));
    if (below.form != ConfigNode::Form::map) make_map(below, below.location);
    below.location = above.location;
    below.key_location = above.key_location;
    below.of_kind = above.of_kind;
    mark_kind(below, kind_of(above));
    for (ConfigNode& entry : above.children) {
        const auto same = std::ranges::find(below.children, entry.key, &ConfigNode::key);
        if (same == below.children.end()) below.children.push_back(std::move(entry));
        else overlay(*same, std::move(entry));
    }
}

void apply_override(ConfigNode& root, std::string_view assignment) {
    Override change = take_apart(assignment);
    set_value(root, change.path, std::move(change.value));
}

}   // namespace oscar
