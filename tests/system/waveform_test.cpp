// Waveforms of whole runs of the program.
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

#include "tests/system/program.hpp"

namespace oscar::waveform_test {
namespace {

using test::Folder;
using test::oscar_sim;
using ::testing::HasSubstr;

const std::string quick =
    "run configs/experiments/demo.yaml --set iterations.count=1 --set fidelity=flit --set methods=[fp32,asc] ";

/// A value change dump: per signal, by its name with scopes, its changes.
class Dump {
public:
    explicit Dump(const std::filesystem::path& file) {
        std::ifstream in(file);
        std::vector<std::string> scopes;
        std::int64_t time = 0;
        for (std::string line; std::getline(in, line);) {
            std::istringstream words(line);
            std::string first, kind, width, id, name;
            words >> first;
            if (first == "$scope") {
                words >> kind >> name;
                scopes.push_back(name + ".");
            } else if (first == "$upscope") {
                scopes.pop_back();
            } else if (first == "$var") {
                words >> kind >> width >> id >> name;
                for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) name = *scope + name;
                names_[id] = name;
            } else if (first[0] == '#') {
                time = std::stoll(first.substr(1));
            } else if (first[0] == 'b') {
                words >> id;
                changes_[names_.at(id)].emplace_back(time, std::stoull(first.substr(1), nullptr, 2));
            } else if (first[0] != '$') {
                changes_[names_.at(first.substr(1))].emplace_back(time, first[0] - '0');
            }
        }
    }
    const std::map<std::string, std::vector<std::pair<std::int64_t, std::uint64_t>>>& changes() const {
        return changes_;
    }
    /// Picoseconds in which it is not 0.
    std::int64_t busy(const std::string& name) const {
        const auto& changes = changes_.at(name);
        std::int64_t busy = 0;
        for (std::size_t i = 0; i + 1 < changes.size(); ++i)
            if (changes[i].second > 0) busy += changes[i + 1].first - changes[i].first;
        return busy;
    }

private:
    std::map<std::string, std::string> names_;
    std::map<std::string, std::vector<std::pair<std::int64_t, std::uint64_t>>> changes_;
};

/// The module of a link that the report calls rank0->switch0: nodes have one name everywhere.
std::string link_module(std::string name) {
    name.replace(name.find("->"), 2, "-");
    return "machine.link_" + name + ".busy";
}

TEST(AWaveform, ShowsLinksAsBusyAsTheReportSays) {
    const Folder out;
    const auto run = oscar_sim(quick + "--set waveform={} -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    const auto report = test::report_in(out.text());
    for (const auto& method : report["methods"]) {
        const std::string name = method["name"];
        const Dump dump(out / ("waveform-" + name + ".vcd"));
        const auto& iteration = method["iterations"][0];
        double window = iteration["allreduce_ps"].get<double>();   // of the AllReduce without what is before it
        for (const char* other : {"scale_exchange_ps", "boundary_broadcast_ps", "gpu_kernel_ps"})
            window -= iteration.value(other, 0.0);
        for (const auto& link : method["links"]) {
            const double busy = static_cast<double>(dump.busy(link_module(link["name"])));
            EXPECT_GT(busy, 0);
            EXPECT_NEAR(busy / window, link["utilisation"].get<double>(), 1e-9) << link["name"];
        }
        EXPECT_EQ(dump.busy("machine.rank3.engine.encoder_busy") > 0, name == "asc");
        EXPECT_GT(dump.busy("machine.rank3.dma.read_busy"), 0);
        for (const auto& [signal, changes] : dump.changes()) {
            if (signal.find(".queue") == std::string::npos && signal.find(".credit") == std::string::npos) continue;
            EXPECT_EQ(changes.front().second, changes.back().second) << signal;   // as before the job
        }
        if (name == "fp32") {   // packets of a block wait
            EXPECT_GT(dump.busy("machine.rank0.nic.port0.queue"), 0);
        }
    }
}

TEST(AWaveform, ShowsBuffersAndLinksOfInputQueuedRouters) {
    const Folder out;
    const auto run =
        oscar_sim("run configs/experiments/mesh-routers.yaml --set methods=[fp32] --set waveform={} -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    const auto report = test::report_in(out.text());
    const Dump dump(out / "waveform-fp32.vcd");
    const auto& method = report["methods"][0];
    const auto window = method["iterations"][0]["allreduce_ps"].get<double>();
    for (const auto& link : method["links"]) {
        const double busy = static_cast<double>(dump.busy(link_module(link["name"])));
        EXPECT_NEAR(busy / window, link["utilisation"].get<double>(), 1e-9) << link["name"];
    }
    std::size_t buffers = 0;
    for (const auto& [signal, changes] : dump.changes()) {
        if (signal.find(".buffer") == std::string::npos && signal.find(".queue") == std::string::npos) continue;
        ++buffers;
        EXPECT_EQ(changes.front().second, 0u) << signal;
        EXPECT_EQ(changes.back().second, 0u) << signal;
    }
    EXPECT_EQ(buffers, 16u + 16u + 48u) << "queues and buffers of nodes, and buffers of 24 cables between routers";
    EXPECT_GT(dump.busy("machine.switch5.node.buffer"), 0);
    EXPECT_GT(dump.busy("machine.rank5.nic.queue"), 0);
}

TEST(AWaveform, HoldsTheSignalsAndTheWindowThatAreAskedFor) {
    const Folder out;
    const auto run = oscar_sim(
        quick + "--set waveform.signals=rank3.*busy --set waveform.from=1us --set waveform.to=3us -o " + out.text());
    ASSERT_EQ(run.status, 0) << run.output;
    const Dump dump(out / "waveform-fp32.vcd");
    EXPECT_EQ(dump.changes().size(), 4u);   // encoder, decoder, and both directions of DMA
    for (const auto& [signal, changes] : dump.changes()) {
        EXPECT_THAT(signal, HasSubstr("machine.rank3."));
        EXPECT_EQ(changes.front().first, 1'000'000);
        EXPECT_LE(changes.back().first, 3'000'000);
    }
}

TEST(AWaveform, ChangesNothingElseInTheReport) {
    const Folder with("with"), without("without");
    ASSERT_EQ(oscar_sim(quick + "--set waveform={} -o " + with.text()).status, 0);
    ASSERT_EQ(oscar_sim(quick + "-o " + without.text()).status, 0);
    auto a = test::report_in(with.text()), b = test::report_in(without.text());
    EXPECT_EQ(a["config"]["waveform"]["signals"], "*");
    a["config"].erase("waveform");
    for (auto* report : {&a, &b}) report->erase("host");
    EXPECT_EQ(a, b);
    EXPECT_FALSE(std::filesystem::exists(without / "waveform-fp32.vcd"));
}

}   // namespace
}   // namespace oscar::waveform_test
