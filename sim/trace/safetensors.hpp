// Files of Hugging Face's safetensors format: eight bytes with the length of a JSON header, the header, the values.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oscar {

/// One tensor of a file.
struct SafeTensor {
    std::string name, dtype;   ///< dtype as the header spells it: F32, F16, BF16, …
    std::vector<std::uint64_t> shape;
    std::span<const std::byte> values;
};

/// All tensors in the order of their values; `name` is how errors call the file. Sizes are not compared with shapes,
/// since that needs the dtype. TraceError: cut off; a header that is no such JSON, is longer than 100 MB (the limit of
/// the format) or names a tensor twice; offsets beyond the end, descending, overlapping, or leaving a gap.
std::vector<SafeTensor> read_safetensors(std::span<const std::byte> file, std::string_view name);

}   // namespace oscar
