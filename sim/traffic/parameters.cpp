#include "sim/traffic/parameters.hpp"

#include "models/network/open_loop/destinations.hpp"
#include "sim/checks/network_problem.hpp"
#include "sim/config/base.hpp"
#include "sim/config/folder_name.hpp"
#include "sim/config/read.hpp"
#include "sim/config/text.hpp"

namespace oscar {
namespace {

void check_loads(const ConfigNode& node, const TrafficParams& traffic) {
    if (traffic.loads.empty()) node.fail("no load to measure; write it like [0.1, 0.2]");
    for (const double load : traffic.loads)
        if (!(load > 0 && load <= 1))
            node.fail(number_text(load) + " flits a cycle and node is out of range; choose above 0 to 1");
}

}   // namespace

TrafficParameters make_traffic(const ConfigNode& source, const std::filesystem::path& file) {
    TrafficParameters p;
    read(source, p);
    if (p.experiment.empty()) p.experiment = file.stem().string();
    require_folder_name(source.child("experiment"), p.experiment);
    const ConfigNode topology = source.child("topology"), traffic = source.child("traffic");
    const RouterGrid grid(p.topology);
    if (grid.routers() < 2) topology.fail("there is one router only; choose rows and columns for 2 or more");
    if (can_deadlock(p.topology, p.router)) source.child("router").child("vcs").fail(no_dateline);
    if (const auto reason = find_pattern_problem(p.traffic.pattern, grid)) traffic.child("pattern").fail(*reason);
    check_loads(traffic.child("loads"), p.traffic);
    return p;
}

TrafficParameters load_traffic(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const FoundConfig found = load_named(file, FileKind::traffic, overrides);
    return make_traffic(found.root, found.file);
}

}   // namespace oscar
