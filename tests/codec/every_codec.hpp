// Every codec and every setting that changes its bytes.
#pragma once

#include <string>
#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "tests/codec/support.hpp"

namespace oscar {

struct Named {
    std::string name;
    CodecChoice choice;
};

/// Every listed kind with its defaults, and the settings that change bytes.
inline std::vector<Named> all_codecs() {
    std::vector<Named> result;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) { result.push_back({std::string(kind.name), P{}}); });
    result.push_back({"atalanta inline", AtalantaParams{.table = AtalantaTable::sent_inline}});
    result.push_back({"atalanta heuristic", AtalantaParams{.search = AtalantaSearch::heuristic}});
    result.push_back({"asc adapt block", AscParams{.adapt = Update::block, .adapt_interval = 3}});
    result.push_back({"asc adapt block, window 16", AscParams{.adapt = Update::block, .adapt_window = 16}});
    result.push_back({"asc adapt symbol", AscParams{.adapt = Update::symbol}});
    result.push_back({"asc adapt symbol, one speed", AscParams{.adapt = Update::symbol, .adapt_quick = 0}});
    result.push_back({"asc ranges adapt", AscParams{.layout = Layout::ranges, .adapt = Update::symbol}});
    result.push_back({"asc ranges", AscParams{.layout = Layout::ranges}});
    result.push_back({"rans ranges", RansParams{.layout = Layout::ranges}});
    result.push_back({"zstd 19", ZstdParams{19}});
    result.push_back({"lz4 9", Lz4Params{9}});
    result.push_back({"shapeshifter bare", ShapeShifterParams{.group = 3, .zeros = GroupZeros::none}});
    result.push_back({"aac symbol", AacParams{.update = Update::symbol, .window = 16}});
    return result;
}

/// Whether a library makes the bytes of a block, so that they depend on its version.
inline bool is_library(const CodecChoice& choice) {
    return choice.name() == "zstd" || choice.name() == "lz4" || choice.name() == "byte_plane";
}

}   // namespace oscar
