#include <gmock/gmock.h>

#include "sim/run/notes/notes.hpp"

namespace oscar::engine_kind_test {
namespace {

using ::testing::Optional;
using ::testing::StrEq;

Parameters with(EngineKind kind) {
    Parameters p;
    p.engine.kind = kind;
    p.engine.decode_loop = 4;
    p.engine.table_update = 100;
    p.engine.lanes = 32;
    return p;
}

TEST(NoteOnTheKindOfEngine, NamesTheParametersThatItDoesNotUse) {
    EXPECT_THAT(note_on_engine_kind(with(EngineKind::cycles)),
                Optional(StrEq("engine.kind cycles has the cycles of the RTL: engine.decode_loop, engine.table_update "
                               "are not used")));
}

TEST(NoteOnTheKindOfEngine, IsNoneWhereAllAreUsed) {
    EXPECT_EQ(note_on_engine_kind(with(EngineKind::pipelined)), std::nullopt);
    Parameters rtl;
    rtl.engine.kind = EngineKind::rtl;
    EXPECT_EQ(note_on_engine_kind(rtl), std::nullopt);
}

}   // namespace
}   // namespace oscar::engine_kind_test
