#include "sim/commands/parts.hpp"

#include <gmock/gmock.h>

#include "sim/commands/families.hpp"
#include "sim/config/error.hpp"
#include "sim/config/find.hpp"

namespace oscar::parts_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> names_of_parts() { return names_of_bases("parts"); }

TEST(Parts, AreListedWithTheFirstSentenceOfTheirFiles) {
    EXPECT_GT(names_of_parts().size(), 29u);
    EXPECT_GT(names_of_bases("machines").size(), 5u);
    for (const BaseFamily& family : base_families) {
        const std::string list = describe(family.name, "", 300);
        EXPECT_EQ(list, list_of_bases(family, 300));
        for (const std::string& name : names_of_bases(family.folder)) EXPECT_THAT(list, HasSubstr("\n  " + name + " "));
    }
    const std::string list = describe("part", "", 300);
    EXPECT_THAT(list, HasSubstr("h200-sxm"));
    EXPECT_THAT(list,
                HasSubstr("GPU memory of an H200 SXM, 4.8 TB/s (NVIDIA, H200 datasheet), behind PCI Express 5.0 x16"));
    EXPECT_THAT(describe("", "", 300),
                HasSubstr("oscar-sim describe part [NAME]\noscar-sim describe machine [NAME]\n"));
}

TEST(Parts, AreShownAsTheirFilesAreWritten) {
    const std::string shown = describe("part", "connectx-7", 110);
    EXPECT_THAT(shown, StartsWith("configs/parts/connectx-7.yaml\n\n# A ConnectX-7"));
    EXPECT_THAT(shown, HasSubstr("is not published"));
    EXPECT_THAT(shown, HasSubstr("\nbase: [pcie5-x16, ethernet-400g, gpudirect-rdma]\n"));
}

TEST(Parts, OfAnotherNameAreRefusedWithTheNearest) {
    const auto problem = [](const std::string& name) -> std::string {
        try {
            return text_of_base(base_families[0], name);
        } catch (const InputError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(problem("connectx-77"),
              "describe: no part 'connectx-77' (did you mean connectx-7?); `oscar-sim describe part` lists them");
    EXPECT_THAT(problem("demo"), HasSubstr("no part 'demo'"));           // an experiment
    EXPECT_THAT(problem("dgx-h100"), HasSubstr("no part 'dgx-h100'"));   // a machine
    EXPECT_THROW(describe_json("part", ""), InputError);
    EXPECT_THROW(describe_schema("part"), InputError);
}

TEST(Parts, NameTheSourceOfTheirFigures) {
    const auto source = ::testing::ContainsRegex(
        "datasheet|data sheet|product brief|IEEE|Specification|SC "
        "2020|results/rtl|128b/130b|infiniband-hdr|tuning.cc|facebookresearch/dietgpu");
    for (const BaseFamily& family : base_families)
        for (const std::string& name : names_of_bases(family.folder))
            EXPECT_THAT(text_of_base(family, name), source) << name;
}

}   // namespace
}   // namespace oscar::parts_test
