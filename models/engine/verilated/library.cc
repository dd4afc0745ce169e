// An array of one shape, as models/engine/arrays/rtl_library.hpp loads it. scripts/rtl_engine compiles this file for
// each, beside the Verilated class OscarArray.
#include "OscarArray.h"

#include "models/engine/arrays/rtl_library.hpp"
#include "models/engine/verilated/verilated_decoder.hpp"
#include "models/engine/verilated/verilated_encoder.hpp"

extern "C" {

[[gnu::visibility("default")]] const oscar::RtlLibraryInfo* oscar_rtl_library_info() {
    static constexpr oscar::RtlLibraryInfo info{
        .shape = {.lanes = OSCAR_LANES, .streams = OSCAR_STREAMS, .rows = OSCAR_ROWS}, .classes = OSCAR_CLASSES};
    return &info;
}

[[gnu::visibility("default")]] oscar::ArrayModel* oscar_make_rtl_array() {
    const oscar::RtlLibraryInfo& info = *oscar_rtl_library_info();
    return new oscar::OSCAR_ADAPTER<OscarArray>(info.shape, info.classes);
}
}
