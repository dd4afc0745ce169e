// What a fuzzer, and the test of its seeds, does with the text of a configuration.
#pragma once

#include <string_view>

namespace oscar::test {

/// Reads an experiment from `text`, and sets its first line as `--set` does. True: the text is a configuration; false:
/// it is refused as ConfigError, in one line without control characters. Throws logic_error where what was read is
/// echoed and reads back as something else, or an error has more lines.
bool reads_configuration(std::string_view text);

}   // namespace oscar::test
