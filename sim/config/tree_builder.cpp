#include "sim/config/tree_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/config/utf8.hpp"

namespace oscar {

Location locate(const Origin& origin, const YAML::Mark& mark) {
    if (!origin.has_lines || mark.is_null()) return {origin.source};
    return {origin.source, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
}

bool TreeBuilder::key_is_due() const {
    return !open_.empty() && open_.back().node.form == ConfigNode::Form::map && !open_.back().key;
}

void TreeBuilder::take_key(const YAML::Mark& mark, const std::string& text) {
    Open& map = open_.back();
    if (!is_utf8(text)) {
        ConfigNode place = map.node;
        place.location = locate(origin_, mark);
        place.fail("a key is not UTF-8; save the file in UTF-8");
    }
    if (const ConfigNode* first = map.node.find(text)) {
        ConfigNode second = *first;
        second.location = locate(origin_, mark);
        second.fail(fmt::format("stands twice, first at {}; remove one", first->key_location.text()));
    }
    map.key = Key{text, locate(origin_, mark)};
}

void TreeBuilder::refuse_key(const YAML::Mark& mark) const {
    ConfigNode map = open_.back().node;
    map.location = locate(origin_, mark);
    // The parser also takes a bracket that is never closed for such a key.
    map.fail("a key must be a plain name; write it like bits: 8, and close each bracket");
}

ConfigNode TreeBuilder::make_node(const YAML::Mark& mark, ConfigNode::Form form) const {
    ConfigNode node;
    node.form = form;
    node.location = node.key_location = locate(origin_, mark);
    if (open_.empty()) {
        node.key = origin_.key;
        node.path = origin_.path;
        return node;
    }
    const Open& parent = open_.back();
    node.key = parent.key ? parent.key->text : std::to_string(parent.node.children.size());
    node.path = join_path(parent.node.path, node.key);
    if (parent.key) node.key_location = parent.key->location;
    return node;
}

void TreeBuilder::add(ConfigNode node) {
    if (open_.empty()) {
        root_ = std::move(node);
        return;
    }
    open_.back().node.children.push_back(std::move(node));
    open_.back().key.reset();
}

void TreeBuilder::open(const YAML::Mark& mark, ConfigNode::Form form, YAML::EmitterStyle::value style) {
    if (key_is_due()) refuse_key(mark);
    open_.push_back({make_node(mark, form), std::nullopt, style == YAML::EmitterStyle::Flow});
}

std::optional<ConfigNode> TreeBuilder::open_bracket() const {
    const auto found = std::find_if(open_.rbegin(), open_.rend(), [](const Open& open) { return open.in_brackets; });
    return found == open_.rend() ? std::nullopt : std::optional(found->node);
}

void TreeBuilder::close() {
    ConfigNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t) {
    if (key_is_due()) refuse_key(mark);
    ConfigNode node = make_node(mark, ConfigNode::Form::null);
    node.location = node.key_location;   // nothing was written: the parser's mark is that of the next token
    add(std::move(node));
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t) {
    make_node(mark, ConfigNode::Form::null).fail("aliases are not supported; write the value out");
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) {
    if (key_is_due()) return take_key(mark, value);
    ConfigNode node = make_node(mark, ConfigNode::Form::scalar);
    if (!is_utf8(value)) node.fail("is not UTF-8; save the file in UTF-8");
    node.text = value;
    add(std::move(node));
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                                  YAML::EmitterStyle::value style) {
    open(mark, ConfigNode::Form::list, style);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                             YAML::EmitterStyle::value style) {
    open(mark, ConfigNode::Form::map, style);
}

}   // namespace oscar
