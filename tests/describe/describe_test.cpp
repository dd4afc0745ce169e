#include "sim/describe/describe.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/config/sample.hpp"

namespace oscar::describe_test {
namespace {

TEST(Describe, AlignsKeyDefaultRangeAndMeaning) {
    EXPECT_EQ(describe_parameter_table(describe_parameters(sample::Link{}), 110),
              "parameter    default  range            meaning\n"
              "bandwidth    400Gbps  1Gbps to 10Tbps  raw rate of one direction\n"
              "propagation  500ns    time             time of flight: cable, PHY, FEC\n"
              "buffer       64KiB    bytes            receive buffer; its size is the credit pool\n");
}

TEST(Describe, GivesNestedParametersDottedKeysAndListsChoicesAndKinds) {
    EXPECT_EQ(describe_parameter_table(describe_parameters(sample::Experiment{}), 110),
              R"(parameter                 default       range             meaning
experiment                demo          text              name of the results folder
ranks                     8             2 to 4096         participants of the collective
seed                      1             whole number      seed of everything random
offset                    0             -128 to 127       shift of the codes
clock                     1GHz          1MHz to 10GHz     clock of the engine
issue                     dependency    one of            when a step starts
                                          lock_step       all ranks wait for the slowest
                                          dependency      a step starts when its inputs are there
network.link.bandwidth    400Gbps       1Gbps to 10Tbps   raw rate of one direction
network.link.propagation  500ns         time              time of flight: cable, PHY, FEC
network.link.buffer       64KiB         bytes             receive buffer; its size is the credit pool
network.trim              false         true or false     whether switches cut payloads off instead of
                                                          dropping packets
codec                     asc           one kind of       lossless coding of symbols
                                          raw             symbols as they are; the baseline
                                          asc             arithmetic coding by shared tables
                                          fixed_point     symbols in 32 bit
methods                   []            list of maps      what is compared
weights                   [0.25, 0.75]  list of numbers   shares of the classes
links                     []            list of maps      links that differ from the others
links[].bandwidth         400Gbps       1Gbps to 10Tbps   raw rate of one direction
links[].propagation       500ns         time              time of flight: cable, PHY, FEC
links[].buffer            64KiB         bytes             receive buffer; its size is the credit pool
limit                     7             1 to 100 or null  most messages in flight; null: any number
)");
}

TEST(Describe, ListsTheKindsOfAFamilyWithTheirParameters) {
    EXPECT_EQ(describe_kind_table(describe_kinds(sample::codecs).kinds, 110),
              "parameter    default  range        meaning\n"
              "raw                   the default  symbols as they are; the baseline\n"
              "asc                                arithmetic coding by shared tables\n"
              "  lanes      64       1 to 1024    symbols coded in one cycle\n"
              "  decay      0.5      0 to 1       weight of the last table\n"
              "fixed_point                        symbols in 32 bit\n");
}

TEST(Describe, WrapsMeaningsAtTheWidth) {
    EXPECT_EQ(describe_table({{"lanes", "64", "1 to 9", "twelve chars and twelve more chars again"}}, 66),
              "parameter  default  range   meaning\n"
              "lanes      64       1 to 9  twelve chars and twelve more chars\n"
              "                            again\n");
}

TEST(Describe, PutsMeaningsBelowTheirRowsWhereColumnsLeaveNoRoom) {
    EXPECT_EQ(describe_table({{"network.link.bandwidth", "400Gbps", "1Gbps to 10Tbps", "raw rate of one direction"},
                              {"issue", "", "one of", "when a step starts"},
                              {"", "", "  lock_step", "all ranks wait for the slowest of them"},
                              {"  lanes", "64", "", "symbols"}},
                             44),
              "parameter  default  range\n"
              "    meaning\n"
              "network.link.bandwidth  400Gbps\n"
              "    1Gbps to 10Tbps\n"
              "    raw rate of one direction\n"
              "issue  one of\n"
              "    when a step starts\n"
              "    lock_step: all ranks wait for the\n"
              "      slowest of them\n"
              "  lanes  64\n"
              "      symbols\n");
}

TEST(Describe, KeepsToANarrowWidthToo) {
    std::istringstream lines(describe_parameter_table(describe_parameters(sample::Experiment{}), 50));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 50U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(Describe, EndsALineAtItsLastWord) {
    EXPECT_EQ(describe_table({{"lanes", "", "", ""}}, 110), "parameter  default  range  meaning\nlanes\n");
}

TEST(Describe, KeepsToItsWidth) {
    std::istringstream lines(describe_parameter_table(describe_parameters(sample::Experiment{}), 110));
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 110U) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
    }
}

TEST(Describe, CutsLongDefaults) {
    EXPECT_EQ(describe_default(to_json(std::vector<double>(20, 0.125))), "[0.125, 0.125, 0.125,...");
    EXPECT_EQ(describe_default(to_json(std::optional<double>{})), "none");
}

}   // namespace
}   // namespace oscar::describe_test
