// A tiny trace whose figures can be worked out by hand.
#pragma once

#include <string>
#include <vector>

#include "tests/trace/trace_folder.hpp"

namespace oscar::testing {

/// Two ranks, layers a [2, 2] and b [1], steps 5 and 6.
class TinyTrace : public TemporaryFolder {
public:
    TinyTrace() {
        write("trace.yaml", text);
        //                                              rank 0: a, b      rank 1: a, b
        write("iteration-00000.npy", npy_file(2, 5, {0, 0, 127, 1, 8, /**/ 0, 64, 0, -1, 8}));
        write("iteration-00001.npy", npy_file(2, 5, {0, 3, -4, 0, 8, /**/ 0, 0, 0, 0, 8}));
    }
    static constexpr std::string_view text =
        "format: 1\nname: tiny\nparameters: 5\nranks: 2\ndata: {licence: MIT}\n"
        "layers:\n  - {name: a, shape: [2, 2]}\n  - {name: b, shape: [1]}\n"
        "iterations:\n  - {file: iteration-00000.npy, step: 5}\n  - {file: iteration-00001.npy, step: 6}\n";
};

}   // namespace oscar::testing
