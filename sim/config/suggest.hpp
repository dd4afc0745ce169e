// Suggestions for mistyped names: the nearest valid name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace oscar {

/// Damerau-Levenshtein distance in its restricted form (optimal string alignment): the fewest insertions, deletions and
/// replacements of one character, and exchanges of two neighbours, that turn `a` into `b`; no part is edited twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The nearest of `names` if it differs in letter case only or in at most a third of its characters (one at least);
/// otherwise the first that begins with `wrong`, of three characters at least; otherwise empty. The first of equally
/// near names wins.
std::string_view nearest_name(std::string_view wrong, std::span<const std::string_view> names);

/// `word` in lower case, without hyphens, underscores and spaces: as words of other tools are compared.
std::string bare_word(std::string_view word);

/// " (did you mean NAME?)" or nothing.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names);

}   // namespace oscar
