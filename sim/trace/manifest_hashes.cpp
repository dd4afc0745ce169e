#include "sim/trace/manifest_hashes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/config/load.hpp"
#include "sim/files/write_file.hpp"
#include "sim/trace/array_hash.hpp"
#include "sim/trace/find_trace.hpp"
#include "sim/trace/manifest.hpp"
#include "sim/trace/mapped_file.hpp"

namespace oscar {
namespace {

/// The tree as one of format 1.
ConfigNode without_hashes(ConfigNode root) {
    for (ConfigNode& entry : root.children) {
        if (entry.key == "format" && entry.text == std::to_string(trace_format)) entry.text = "1";
        if (entry.key != "iterations") continue;
        for (ConfigNode& iteration : entry.children)
            std::erase_if(iteration.children, [](const ConfigNode& child) { return child.key == "hash"; });
    }
    return root;
}

/// The offset of `place` in the text; the text's end if it is not in it.
std::size_t offset_of(const std::string& text, const Location& place) {
    std::size_t start = 0;
    for (std::uint32_t line = 1; line < place.line && start != std::string::npos; ++line) {
        start = text.find('\n', start);
        if (start != std::string::npos) ++start;
    }
    return std::min(start == std::string::npos ? text.size() : start + place.column - 1, text.size());
}

/// The offset of the end of the single value at `node`, with its quotes.
std::size_t end_of(const std::string& text, const ConfigNode& node) {
    const std::size_t at = offset_of(text, node.location);
    const bool is_quoted = at < text.size() && (text[at] == '"' || text[at] == '\'');
    const std::size_t end = is_quoted ? text.find(text[at], at + 1) : at + node.text.size();
    return std::min(end, text.size() - 1) + (is_quoted ? 1 : 0);
}

/// Replaces the single value at `node`, with its quotes.
void put_value(std::string& text, const ConfigNode& node, const std::string& value) {
    const std::size_t at = offset_of(text, node.location);
    text.replace(at, end_of(text, node) - at, value);
}

/// Puts the hash after the file of an iteration, or in place of the hash that it has.
void put_hash(std::string& text, const ConfigNode& iteration, const std::string& hash) {
    const std::string value = fmt::format("\"{}\"", hash);
    if (const ConfigNode* older = iteration.find("hash")) return put_value(text, *older, value);
    const std::size_t start = offset_of(text, iteration.location);
    const bool in_braces = start < text.size() && text[start] == '{';
    const std::string before = in_braces ? ", " : "\n" + std::string(iteration.location.column - 1, ' ');
    text.insert(end_of(text, iteration.child("file")), before + "hash: " + value);
}

/// `text` with the hashes put in, from the last place to the first, so that places before stay right.
std::string edited(std::string text, const ConfigNode& root, std::span<const std::string> hashes) {
    const ConfigNode format = root.child("format"), iterations = root.child("iterations");
    const bool format_first = format.location.line <= iterations.location.line;
    const auto put_format = [&] { put_value(text, format, std::to_string(trace_format)); };
    if (!format_first) put_format();
    for (std::size_t i = iterations.children.size(); i-- > 0;) put_hash(text, iterations.children[i], hashes[i]);
    if (format_first) put_format();
    return text;
}

bool says(const std::string& text, const TraceManifest& manifest) {
    try {
        return manifest_text(read_manifest(parse_config(text, "trace.yaml"))) == manifest_text(manifest);
    } catch (const ConfigError&) {
        return false;
    }
}

}   // namespace

std::string with_hashes(const std::string& text, const ConfigNode& root, std::span<const std::string> hashes) {
    TraceManifest manifest = read_manifest(without_hashes(root));
    manifest.format = trace_format;
    for (std::size_t i = 0; i < manifest.iterations.size(); ++i) manifest.iterations[i].hash = hashes[i];
    std::string result = edited(text, root, hashes);
    return says(result, manifest) ? result : manifest_text(manifest);
}

void write_hashes(const std::filesystem::path& folder) {
    const std::filesystem::path file = file_of_folder(folder, "trace.yaml");
    const ConfigNode root = load_config(file);
    const auto bytes = MappedFile(file);
    const std::string text(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size());
    std::vector<std::string> hashes;
    for (const TraceIteration& iteration : read_manifest(without_hashes(root)).iterations)
        hashes.push_back(file_hash(file_of_folder(folder, iteration.file)));
    replace_file(file, with_hashes(text, root, hashes), "make the folder writable");
}

}   // namespace oscar
