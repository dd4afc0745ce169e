// Value change dumps, written out in full.
#include "sim/report/write.hpp"

#include <gtest/gtest.h>

namespace oscar {

using namespace literals;

namespace {

TEST(Vcd, DeclaresScopesOnceAndChangesInOrderOfTime) {
    const std::vector<Signal> signals{{"rank1.nic.port0.queue", {{0_ns, 0}, {2_ns, 5}, {3_ns, 1}}},
                                      {"link_a-b.busy", {{0_ns, 0}, {2_ns, 1}}},
                                      {"rank1.nic.port0.credit0", {{0_ns, 64}}}};
    EXPECT_EQ(to_vcd(signals, "machine"),
              "$timescale 1ps $end\n"
              "$scope module machine $end\n"
              "$scope module link_a-b $end\n"
              "$var wire 1 \" busy $end\n"
              "$upscope $end\n"
              "$scope module rank1 $end\n"
              "$scope module nic $end\n"
              "$scope module port0 $end\n"
              "$var wire 7 # credit0 $end\n"
              "$var wire 3 ! queue $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$upscope $end\n"
              "$enddefinitions $end\n"
              "#0\nb0 !\n0\"\nb1000000 #\n"
              "#2000\nb101 !\n1\"\n"
              "#3000\nb1 !\n");
}

TEST(Vcd, HasAnIdentifierOfItsOwnForEachOfManySignals) {
    std::vector<Signal> signals;
    for (int i = 0; i < 200; ++i) signals.push_back({"s" + std::to_string(i), {{0_ns, 1}}});
    const std::string text = to_vcd(signals, "top");
    EXPECT_NE(text.find("$var wire 1 ~ s93 $end"), std::string::npos);
    EXPECT_NE(text.find("$var wire 1 !\" s94 $end"), std::string::npos);
}

}   // namespace
}   // namespace oscar
