// An algorithm of MSCCL as its XML file says it: what each threadblock of each GPU does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace oscar {

/// A part of a buffer of a GPU, by its first chunk.
struct MscclPlace {
    char buffer = 'i';   ///< i: input, o: output, s: scratch
    std::uint32_t chunk = 0;
    friend auto operator<=>(const MscclPlace&, const MscclPlace&) = default;
};

/// One instruction of a threadblock.
struct MscclStep {
    enum class Kind : std::uint8_t {
        send,                       ///< s: src to the peer
        receive,                    ///< r: into dst
        receive_copy_send,          ///< rcs: into dst, and on to the next peer
        receive_reduce_send,        ///< rrs: added to src and sent on; not kept
        receive_reduce_copy,        ///< rrc: added to src and kept in dst
        receive_reduce_copy_send,   ///< rrcs: both
        copy,                       ///< cpy: src to dst of the same GPU
        reduce,                     ///< re: src is added to dst of the same GPU
        nothing                     ///< nop: waits alone
    };
    Kind kind = Kind::nothing;
    MscclPlace from, to;
    std::uint32_t count = 1;         ///< chunks; a step of none moves nothing
    std::int32_t waits_block = -1;   ///< threadblock of the same GPU that must have finished its step `waits_step`; -1:
                                     ///< none
    std::int32_t waits_step = -1;
};

struct MscclBlock {
    std::int32_t send = -1, receive = -1;   ///< peers; -1: none
    std::uint32_t channel = 0;
    std::vector<MscclStep> steps;
};

struct MscclAlgorithm {
    std::string name, collective;
    bool in_place = true;                        ///< input and output are one buffer
    std::string unused;                          ///< attributes without effect here, like "proto LL, maxBytes 4096"
    std::uint32_t chunks = 0;                    ///< of the larger of input and output of a GPU (nchunksperloop)
    std::vector<std::vector<MscclBlock>> gpus;   ///< [gpu][threadblock], both by their ids
};

/// The names of steps in the file, in the order of MscclStep::Kind.
inline constexpr const char* msccl_step_names[] = {"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop"};

/// Reads the text of a file. InputError without the file's name: no XML (with its line), another root than algo, a
/// missing or wrong attribute (with GPU, threadblock and step), ids that are not 0, 1, ... in order, an unknown step.
/// Offsets that a step does not use may be -1.
/// Source: MSCCL, interpreter of algorithms in XML (Cowan et al., "MSCCLang", ASPLOS 2023).
MscclAlgorithm read_msccl(const std::string& text);

}   // namespace oscar
