// AllReduce as NCCL makes it: its choice of algorithm and protocol, and the schedule of that choice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/protocol.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/core/units.hpp"

namespace oscar {

enum class NcclAlgorithm : std::uint8_t { ring, tree };
constexpr auto choices(NcclAlgorithm) {
    return std::array{Choice{"ring", NcclAlgorithm::ring, "one ring through all ranks"},
                      Choice{"tree", NcclAlgorithm::tree, "double binary tree over nodes, a chain in each"}};
}

/// The host's processors, which decide the time of posting a message and the bandwidth of LL between nodes.
enum class NcclHost : std::uint8_t { intel, amd };
constexpr auto choices(NcclHost) {
    return std::array{Choice{"intel", NcclHost::intel, "Intel, as in DGX H100"},
                      Choice{"amd", NcclHost::amd, "AMD, as in DGX A100"}};
}

/// What is left open is chosen by NCCL's tuner for the bytes of the AllReduce (sim/parameters/nccl.hpp). The
/// schedule of a choice that nobody has made is a ring. The parameters of StaggeredParams follow from the choice.
struct NcclAllReduceParams : StaggeredParams {
    std::optional<NcclAlgorithm> algorithm = {};
    std::optional<NcclProtocol> protocol = {};
    NcclHost host = NcclHost::intel;
    Bytes bytes = {};           ///< of the AllReduce that the choice is for; 0: none has been made
    std::uint32_t island = 1;   ///< ranks of a node
    static constexpr Operation operation = Operation::all_reduce;
    static constexpr auto fields() {
        using P = NcclAllReduceParams;
        return concatenate(
            fields_of<P>(),
            Entries{
                field("algorithm", &P::algorithm, "ring or tree; none: the faster one by NCCL's tuner for the bytes"),
                field("protocol", &P::protocol, "LL, LL128 or Simple; none: the fastest one by NCCL's tuner"),
                field("host", &P::host, "processors of the hosts, which the tuner's latencies depend on"),
            });
    }
    bool is_tree() const { return algorithm == NcclAlgorithm::tree; }
};

/// The collective with the machine's islands as nodes, which are the chains of its trees; 1: a rank is a node.
NcclAllReduceParams on_islands(const NcclAllReduceParams& params, std::uint32_t ranks, std::uint32_t island);

/// That of RingParams, or of DoubleBinaryTreeParams with a chain in each node. Throws std::invalid_argument as those
/// do.
Schedule make_schedule(const NcclAllReduceParams& params, std::uint32_t ranks);

}   // namespace oscar
