// A collective as NCCL makes it: its choice of algorithm and protocol, and the schedule of that choice.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "models/collective/algorithms/all_reduce/double_binary_tree.hpp"
#include "models/collective/algorithms/all_reduce/hierarchical.hpp"
#include "models/collective/algorithms/all_reduce/ring.hpp"
#include "models/collective/algorithms/nccl/nvls_tree.hpp"
#include "models/collective/algorithms/sharded/all_gather.hpp"
#include "models/collective/algorithms/sharded/reduce_scatter.hpp"
#include "models/collective/schedule/params.hpp"
#include "models/collective/schedule/protocol.hpp"
#include "models/collective/schedule/schedule.hpp"
#include "models/core/units.hpp"

namespace oscar {

enum class NcclAlgorithm : std::uint8_t { ring, tree, nvls, nvls_tree };
constexpr auto choices(NcclAlgorithm) {
    return std::array{Choice{"ring", NcclAlgorithm::ring, "one ring through all ranks"},
                      Choice{"tree", NcclAlgorithm::tree, "double binary tree over nodes, a chain in each"},
                      Choice{"NVLS", NcclAlgorithm::nvls, "NVSwitches add and copy, in one node"},
                      Choice{"NVLSTree", NcclAlgorithm::nvls_tree,
                             "NVSwitches add and copy in each node, double binary trees between nodes"}};
}

/// The host's processors, which decide the time of posting a message and the bandwidth of LL between nodes.
enum class NcclHost : std::uint8_t { intel, amd };
constexpr auto choices(NcclHost) {
    return std::array{Choice{"intel", NcclHost::intel, "Intel, as in DGX H100"},
                      Choice{"amd", NcclHost::amd, "AMD, as in DGX A100"}};
}

/// What is left open is chosen by NCCL's tuner for the bytes of the collective (sim/parameters/nccl.hpp). The
/// schedule of a choice that nobody has made is a ring. The parameters of StaggeredParams follow from the choice.
struct NcclCollectiveParams : StaggeredParams {
    Operation operation = Operation::all_reduce;
    std::vector<NcclAlgorithm> algorithms = {};
    std::optional<NcclAlgorithm> algorithm = {};
    std::optional<NcclProtocol> protocol = {};
    NcclHost host = NcclHost::intel;
    Bytes bytes = {};            ///< of the collective that the choice is for; 0: none has been made
    std::uint32_t island = 1;    ///< ranks of a node
    bool switches_add = false;   ///< the machine says what its NVSwitches add with
    static constexpr auto fields() {
        using P = NcclCollectiveParams;
        return concatenate(
            fields_of<P>(),
            Entries{
                field("operation", &P::operation, "all_reduce, reduce_scatter or all_gather"),
                field("algorithms", &P::algorithms, "those that NCCL may choose, as in NCCL_ALGO; none named: all"),
                field("algorithm", &P::algorithm, "the one to take; none: the fastest by NCCL's tuner for the bytes"),
                field("protocol", &P::protocol, "LL, LL128 or Simple; none: the fastest one by NCCL's tuner"),
                field("host", &P::host, "processors of the hosts, which the tuner's latencies depend on"),
            });
    }
    bool is_tree() const { return algorithm == NcclAlgorithm::tree; }
    bool by_switches() const { return algorithm == NcclAlgorithm::nvls || algorithm == NcclAlgorithm::nvls_tree; }
};

/// The collective with the machine's islands as nodes; 1: a rank is a node.
NcclCollectiveParams on_islands(const NcclCollectiveParams& params, std::uint32_t ranks, std::uint32_t island);

/// The collective, of one channel, that the choice stands for.
using NcclPerformed = std::variant<RingParams, DoubleBinaryTreeParams, HierarchicalParams, NvlsTreeParams,
                                   ReduceScatterParams, AllGatherParams>;
/// std::invalid_argument: an operation or algorithm that NCCL's tuner does not choose; what() is a sentence.
NcclPerformed performed(const NcclCollectiveParams& params);

/// That of performed(). Throws std::invalid_argument as those do.
Schedule make_schedule(const NcclCollectiveParams& params, std::uint32_t ranks);
/// The part of it that stands for all under the rotation by `turn`, as that of RingParams. Throws std::logic_error for
/// trees and switches.
Schedule make_part(const NcclCollectiveParams& params, std::uint32_t ranks, std::uint32_t turn);

}   // namespace oscar
