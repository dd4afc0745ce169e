// Builds a ConfigNode from the events of the YAML parser; private to sim/config.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <optional>
#include <string>
#include <vector>

#include "sim/config/node.hpp"

namespace oscar {

/// The name of a parsed document in its locations and paths.
struct Origin {
    std::string source;
    bool has_lines = true;   ///< false if line and column of the text mean nothing to its writer
    std::string key, path;   ///< of the root node
};

/// The location of a parser's mark.
Location locate(const Origin& origin, const YAML::Mark& mark);

/// Receives the events of one document and grows the tree. Works on events rather than on YAML::Node, because these
/// tell the place of every key, keep the second of two equal keys, and cannot blow up through aliases.
class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(const Origin& origin) : origin_(origin) {}

    /// The tree, once the document has ended; empty if the document was.
    const std::optional<ConfigNode>& root() const { return root_; }

    /// The start of the document; none before its first event.
    const std::optional<Location>& start() const { return start_; }

    /// The innermost list or map in brackets whose end has not come.
    std::optional<ConfigNode> open_bracket() const;

    void OnDocumentStart(const YAML::Mark& mark) override { start_ = locate(origin_, mark); }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override;
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override;
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override;
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                         YAML::EmitterStyle::value style) override;
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                    YAML::EmitterStyle::value style) override;
    void OnMapEnd() override { close(); }

private:
    struct Key {
        std::string text;
        Location location;
    };
    /// A list or map whose entries are still coming; in a map, the key whose value comes next.
    struct Open {
        ConfigNode node;
        std::optional<Key> key;
        bool in_brackets = false;
    };

    bool key_is_due() const;
    void take_key(const YAML::Mark& mark, const std::string& text);
    [[noreturn]] void refuse_key(const YAML::Mark& mark) const;
    ConfigNode make_node(const YAML::Mark& mark, ConfigNode::Form form) const;
    void open(const YAML::Mark& mark, ConfigNode::Form form, YAML::EmitterStyle::value style);
    void close();
    void add(ConfigNode node);

    Origin origin_;
    std::vector<Open> open_;   // outermost first
    std::optional<ConfigNode> root_;
    std::optional<Location> start_;
};

}   // namespace oscar
