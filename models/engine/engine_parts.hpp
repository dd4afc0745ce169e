// The parts of an engine that a method uses, and their figures in a technology.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/codec/kinds/codecs.hpp"
#include "models/engine/engine_params.hpp"
#include "models/engine/technology.hpp"

namespace oscar {

/// When a part takes dynamic energy.
enum class Activity : std::uint8_t { encoding, decoding, making_tables, adding };

/// Equal parts of an engine.
struct EnginePart {
    EngineUnit unit;
    double count = 1;   ///< a share of one where an engine stands for a larger one
    Activity activity = Activity::encoding;
    bool required = true;   ///< without its figures the engine has no cost; else the part is left out of it
};

/// What the parts of an engine must be able to do.
struct PartNeeds {
    RowSearch search = RowSearch::flash;
    std::uint32_t streams = 1;
    Layout layout = Layout::magnitude;
    bool adaptive = false;
    std::uint32_t classes = 1;
    friend bool operator==(const PartNeeds&, const PartNeeds&) = default;
};

/// A part with its figures in a technology; `cost` is in the technology.
struct PricedPart {
    EnginePart part;
    const UnitCost* cost;
};

/// The parts of the engine of one NIC that a method uses.
struct PricedEngine {
    std::vector<PricedPart> parts;
    std::vector<std::string> missing;     ///< required parts without figures: the engine has no cost
    std::vector<std::string> uncounted;   ///< other parts without figures
};

/// The method `codec` on `engine`, whose lanes know `classes` classes of values. Encoder and decoder lanes of its coder
/// are required. A codec of another coder lacks lanes under its own name; software lacks a processor. What sends values
/// as they are has adders alone, `engine.lanes` of them or, where the engine is bypassed, the `adders` of the reduce
/// unit. `scale`: of the experiment, whose engine stands for one with so many times the lanes; of a part that serves
/// many lanes the larger engine has fewer for each lane, and the smaller one a share.
PricedEngine priced_engine(const Technology& technology, const CodecChoice& codec, const EngineParams& engine,
                           std::uint32_t adders, std::uint32_t classes, std::uint32_t scale = 1);

/// The entry of `technology` for a unit of these needs; null if none fits. An entry fits if each of its keys that is
/// not null is what is needed; the one with the most such keys is taken, of equal ones the first.
const UnitCost* find_unit(const Technology& technology, EngineUnit unit, const PartNeeds& needs);

/// "asc_decoder_lane (search flash, streams 1, ...)".
std::string unit_text(EngineUnit unit, const PartNeeds& needs);

}   // namespace oscar
