// What nccl-tests writes with --output_file: the rows of its table as JSON.
#pragma once

#include <string>

#include "sim/fit/measured_rows.hpp"

namespace oscar {

/// True for a text that begins as JSON does.
bool is_nccl_json(const std::string& text);

/// Reads devices and rows of such a file. InputError with its place and without the file's name: no JSON, nested
/// deeper than 64, a key that is missing or holds another type. Source: nccl-tests, src/util.cu.
MeasuredRows read_nccl_json(const std::string& text);

}   // namespace oscar
