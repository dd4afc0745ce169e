#include "sim/schedules/msccl_algorithm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <iterator>
#include <optional>
#include <sstream>

#include "sim/config/error.hpp"

namespace oscar {
namespace {

using Tree = boost::property_tree::ptree;
using Range = std::pair<std::int64_t, std::int64_t>;   // least, most

constexpr Range gpu_count{2, 4096}, any_chunk{0, 1 << 20}, any_peer{-1, 4095}, any_step{-1, 1 << 20},
    unused_chunk{-1, 1 << 20};
constexpr int deepest = 16;   // elements in each other: an algorithm has four

/// An element with its place, for messages.
struct Element {
    const Tree& tree;
    std::string where;   // "gpu 3, tb 1, step 4"; empty at the root

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(where.empty() ? what : where + ": " + what);
    }
    std::optional<std::string> text(const char* name) const {
        const auto found = tree.get_optional<std::string>(std::string("<xmlattr>.") + name);
        return found ? std::optional(*found) : std::nullopt;
    }
    std::int64_t number(const char* name, Range range, std::optional<std::int64_t> otherwise = {}) const {
        const auto said = text(name);
        if (!said && otherwise) return *otherwise;
        if (!said) fail(fmt::format("has no {}; write {}=\"{}\"", name, name, range.first));
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(said->data(), said->data() + said->size(), value);
        if (error != std::errc{} || end != said->data() + said->size() || value < range.first || value > range.second)
            fail(fmt::format("{} is '{}'; write a whole number from {} to {}", name, *said, range.first, range.second));
        return value;
    }
    std::vector<Element> children(const std::string& name, const std::string& kind) const {
        std::vector<Element> found;
        for (const auto& [child, tree_of_child] : tree) {
            if (child != name) {
                if (child != "<xmlattr>" && child != "<xmlcomment>")
                    fail(fmt::format("has an element {}; only {} belongs here", child, name));
                continue;
            }
            found.push_back(
                {tree_of_child, fmt::format("{}{}{} {}", where, where.empty() ? "" : ", ", kind, found.size())});
        }
        return found;
    }
    /// Its id must be its number in the file: others refer to it by that.
    void check_id(const char* name, std::size_t number) const {
        if (this->number(name, any_step) != static_cast<std::int64_t>(number))
            fail(
                fmt::format("{} is '{}'; elements are numbered in their order, this is {}", name, *text(name), number));
    }
};

MscclPlace read_place(const Element& step, const char* buffer, const char* offset, bool used) {
    if (!used) {
        step.number(offset, unused_chunk, -1);
        return {};
    }
    const std::string said = step.text(buffer).value_or("i");
    if (said != "i" && said != "o" && said != "s")
        step.fail(fmt::format("{} is '{}'; write i (input), o (output) or s (scratch)", buffer, said));
    return {said.front(), static_cast<std::uint32_t>(step.number(offset, any_chunk, 0))};
}

/// Whether a step of this kind has a source, and a destination, among the places of its GPU.
constexpr bool has_source(MscclStep::Kind kind) {
    using K = MscclStep::Kind;
    return kind != K::receive && kind != K::receive_copy_send && kind != K::nothing;
}
constexpr bool has_destination(MscclStep::Kind kind) {
    using K = MscclStep::Kind;
    return kind != K::send && kind != K::receive_reduce_send && kind != K::nothing;
}

MscclStep read_step(const Element& element, std::size_t number) {
    element.check_id("s", number);
    const std::string said = element.text("type").value_or("");
    const auto* const found = std::ranges::find(msccl_step_names, said);
    if (found == std::end(msccl_step_names))
        element.fail(fmt::format("type is '{}'; write one of {}", said, fmt::join(msccl_step_names, ", ")));
    MscclStep step;
    step.kind = static_cast<MscclStep::Kind>(found - std::begin(msccl_step_names));
    step.count = static_cast<std::uint32_t>(element.number("cnt", any_chunk, 1));
    const bool moves = step.count > 0;
    step.from = read_place(element, "srcbuf", "srcoff", moves && has_source(step.kind));
    step.to = read_place(element, "dstbuf", "dstoff", moves && has_destination(step.kind));
    step.waits_block = static_cast<std::int32_t>(element.number("depid", any_step, -1));
    step.waits_step = static_cast<std::int32_t>(element.number("deps", any_step, -1));
    return step;
}

/// Those of `element` must be there for a step that sends or receives.
void check_peers(const Element& element, const MscclBlock& block, const MscclStep& step) {
    using K = MscclStep::Kind;
    if (step.count == 0) return;
    const bool receives = step.kind >= K::receive && step.kind <= K::receive_reduce_copy_send;
    const bool sends = step.kind == K::send || step.kind == K::receive_copy_send ||
                       step.kind == K::receive_reduce_send || step.kind == K::receive_reduce_copy_send;
    if (sends && block.send < 0) element.fail("sends, but its threadblock has send=\"-1\"; name the peer there");
    if (receives && block.receive < 0)
        element.fail("receives, but its threadblock has recv=\"-1\"; name the peer there");
}

MscclBlock read_block(const Element& element, std::size_t number) {
    element.check_id("id", number);
    MscclBlock block;
    block.send = static_cast<std::int32_t>(element.number("send", any_peer));
    block.receive = static_cast<std::int32_t>(element.number("recv", any_peer));
    block.channel = static_cast<std::uint32_t>(element.number("chan", any_chunk, 0));
    const std::vector<Element> steps = element.children("step", "step");
    for (std::size_t i = 0; i < steps.size(); ++i) {
        block.steps.push_back(read_step(steps[i], i));
        check_peers(steps[i], block, block.steps.back());
    }
    return block;
}

/// What the root says of protocols and of the sizes that an algorithm is meant for.
std::string unused_attributes(const Element& root) {
    std::string all;
    for (const char* name : {"proto", "minBytes", "maxBytes"})
        if (const auto said = root.text(name)) all += fmt::format("{}{} {}", all.empty() ? "" : ", ", name, *said);
    return all;
}

/// InputError where elements are nested so deep that a parser that calls itself would run out of stack.
void check_depth(const std::string& text) {
    int depth = 0;
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
        if (text.compare(at, 4, "<!--") == 0) {
            at = std::min(text.find("-->", at), text.size() - 1);
            continue;
        }
        const std::size_t end = std::min(text.find('>', at), text.size());
        const bool closes = text.compare(at, 2, "</") == 0, alone = end > at && text[end - 1] == '/';
        const bool counts = text.compare(at, 2, "<?") != 0 && text.compare(at, 2, "<!") != 0;
        if (counts) depth += closes ? -1 : alone ? 0 : 1;
        if (depth > deepest) throw InputError("elements are nested too deep for an algorithm of MSCCL");
    }
}

Tree parsed(const std::string& text) {
    check_depth(text);
    std::istringstream stream(text);
    Tree tree;
    try {
        read_xml(stream, tree, boost::property_tree::xml_parser::no_comments);
    } catch (const boost::property_tree::xml_parser_error& error) {
        throw InputError(fmt::format("line {}: is no XML: {}", error.line(), error.message()));
    }
    return tree;
}

}   // namespace

MscclAlgorithm read_msccl(const std::string& text) {
    const Tree tree = parsed(text);
    const auto algo = tree.get_child_optional("algo");
    if (!algo) throw InputError("has no element algo; an algorithm of MSCCL begins with <algo name=... ngpus=...>");
    const Element root{*algo, ""};
    MscclAlgorithm algorithm;
    algorithm.name = root.text("name").value_or("");
    algorithm.collective = root.text("coll").value_or("");
    algorithm.chunks = static_cast<std::uint32_t>(root.number("nchunksperloop", {1, any_chunk.second}));
    algorithm.in_place = root.text("inplace").value_or("1") != "0";
    algorithm.unused = unused_attributes(root);
    const std::vector<Element> gpus = root.children("gpu", "gpu");
    if (root.number("ngpus", gpu_count) != static_cast<std::int64_t>(gpus.size()))
        root.fail(fmt::format("ngpus is '{}', but {} elements gpu follow", *root.text("ngpus"), gpus.size()));
    for (std::size_t g = 0; g < gpus.size(); ++g) {
        gpus[g].check_id("id", g);
        const std::vector<Element> blocks = gpus[g].children("tb", "tb");
        std::vector<MscclBlock>& read = algorithm.gpus.emplace_back();
        for (std::size_t b = 0; b < blocks.size(); ++b) read.push_back(read_block(blocks[b], b));
    }
    return algorithm;
}

}   // namespace oscar
