#include "sim/trace/safetensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/config/text.hpp"
#include "sim/trace/error.hpp"

namespace oscar {
namespace {

using nlohmann::json;

constexpr std::size_t length_bytes = 8, longest_header = 100'000'000;

[[noreturn]] void fail_safetensors(std::string_view name, std::string_view what) {
    throw TraceError(fmt::format("{}: {}; write it with safetensors' save_file", name, what));
}

json parse_header(std::string_view text, std::string_view name) {
    std::vector<std::set<std::string>> keys;   // of the objects that are open
    std::string twice;
    const auto watch = [&](int depth, json::parse_event_t event, json& value) {
        if (depth > 8) fail_safetensors(name, "has a header with nested tables");
        if (event == json::parse_event_t::object_start) keys.emplace_back();
        if (event == json::parse_event_t::object_end) keys.pop_back();
        if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
            twice = value.get<std::string>();
        return true;
    };
    try {
        json header = json::parse(text, watch);
        if (!twice.empty()) fail_safetensors(name, fmt::format("names {} twice", in_quotes(twice)));
        if (!header.is_object()) fail_safetensors(name, "has a header that is no JSON object");
        return header;
    } catch (const json::exception& error) {
        fail_safetensors(name, fmt::format("has a header that is no JSON (byte {})",
                                           dynamic_cast<const json::parse_error*>(&error) != nullptr
                                               ? static_cast<const json::parse_error&>(error).byte
                                               : 0));
    }
}

/// The entry `key` of a tensor as a list of whole numbers.
std::vector<std::uint64_t> numbers(const json& tensor, const char* key, std::string_view what) {
    const auto entry = tensor.find(key);
    const auto whole = [](const json& value) { return value.is_number_unsigned(); };
    if (entry == tensor.end() || !entry->is_array() || !std::all_of(entry->begin(), entry->end(), whole))
        fail_safetensors(what, fmt::format("lacks {}, a list of whole numbers below 2^64", key));
    return entry->get<std::vector<std::uint64_t>>();
}

SafeTensor read_tensor(const std::string& key, const json& entry, std::span<const std::byte> values,
                       std::string_view name) {
    const std::string what = fmt::format("{}:{}", name, key);
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string())
        fail_safetensors(what, "lacks dtype, a text like F32");
    const std::vector<std::uint64_t> offsets = numbers(entry, "data_offsets", what);
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > values.size())
        fail_safetensors(what, fmt::format("has data_offsets [{}], but the file holds {} bytes of values",
                                           fmt::join(offsets, ", "), values.size()));
    return {key, entry["dtype"].get<std::string>(), numbers(entry, "shape", what),
            values.subspan(offsets[0], offsets[1] - offsets[0])};
}

void check_tiling(const std::vector<SafeTensor>& tensors, std::span<const std::byte> values, std::string_view name) {
    const std::byte* due = values.data();
    for (const SafeTensor& tensor : tensors) {
        if (tensor.values.data() != due)
            fail_safetensors(fmt::format("{}:{}", name, tensor.name),
                             fmt::format("starts at byte {} of the values, but byte {} is due",
                                         tensor.values.data() - values.data(), due - values.data()));
        due += tensor.values.size();
    }
    if (due != values.data() + values.size())
        fail_safetensors(name, fmt::format("has {} bytes after its last tensor", values.data() + values.size() - due));
}

}   // namespace

std::vector<SafeTensor> read_safetensors(std::span<const std::byte> file, std::string_view name) {
    if (file.size() < length_bytes) fail_safetensors(name, fmt::format("is cut off after {} bytes", file.size()));
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | std::to_integer<std::uint64_t>(file[i]);
    if (length > longest_header)
        fail_safetensors(name, fmt::format("is no safetensors file: a header of {} bytes", length));
    if (length > file.size() - length_bytes)
        fail_safetensors(name, fmt::format("is cut off in its header: {} bytes expected, {} found",
                                           length_bytes + length, file.size()));
    const std::string_view text(reinterpret_cast<const char*>(file.data()) + length_bytes, length);
    const std::span<const std::byte> values = file.subspan(length_bytes + length);
    std::vector<SafeTensor> tensors;
    const json header = parse_header(text, name);
    for (const auto& [key, entry] : header.items())
        if (key != "__metadata__") tensors.push_back(read_tensor(key, entry, values, name));
    std::stable_sort(tensors.begin(), tensors.end(), [](const SafeTensor& a, const SafeTensor& b) {
        return std::pair(a.values.data(), a.values.size()) < std::pair(b.values.data(), b.values.size());
    });
    check_tiling(tensors, values, name);
    return tensors;
}

}   // namespace oscar
