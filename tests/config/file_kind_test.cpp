#include "sim/config/file_kind.hpp"

#include <gtest/gtest.h>

#include "tests/config/sample.hpp"

namespace oscar::file_kind_test {
namespace {

std::string error_of_kind(std::string_view yaml, FileKind kind) {
    const ConfigNode root = parse_config(yaml, "a.yaml");
    return sample::error_of([&] { require_file_kind(root, kind); });
}

TEST(FileKind, NamesTheCommandForAFileOfAnotherKind) {
    EXPECT_EQ(error_of_kind("base: b.yaml\naxes: []", FileKind::run),
              "a.yaml:2:1: axes: belongs to a sweep; use oscar-sim sweep a.yaml");
    EXPECT_EQ(error_of_kind("seed: 1\ntrace: t", FileKind::sweep),
              "a.yaml:2:1: trace: belongs to an experiment; use oscar-sim run a.yaml");
    EXPECT_EQ(error_of_kind("base: b.yaml\nmethods: [asc]", FileKind::sweep),
              "a.yaml:2:1: methods: belongs to an experiment; use oscar-sim run a.yaml");
    EXPECT_EQ(error_of_kind("traffic: {}", FileKind::run),
              "a.yaml:1:1: traffic: belongs to a study of routers; use oscar-sim traffic a.yaml");
    EXPECT_EQ(error_of_kind("predictor: line", FileKind::traffic),
              "a.yaml:1:1: predictor: belongs to a prediction; use oscar-sim predict a.yaml");
    EXPECT_EQ(error_of_kind("format: 1", FileKind::run),
              "a.yaml:1:1: format: belongs to a trace; use oscar-sim trace info with its folder");
    EXPECT_EQ(error_of_kind("methods: [dense]\nworkload: x", FileKind::sweep),
              "a.yaml:2:1: workload: belongs to a training; use scripts/train a.yaml");
}

TEST(FileKind, TakesAFileOfItsOwnKindAndOneThatSaysNothing) {
    EXPECT_EQ(error_of_kind("trace: t\nmethods: [asc]", FileKind::run), "no error");
    EXPECT_EQ(error_of_kind("base: {trace: t}\naxes: []", FileKind::sweep), "no error");
    EXPECT_EQ(error_of_kind("base: b.yaml", FileKind::run), "no error");
    EXPECT_EQ(error_of_kind("seed: 1", FileKind::traffic), "no error");
    EXPECT_EQ(error_of_kind("[1, 2]", FileKind::run), "no error");
}

}   // namespace
}   // namespace oscar::file_kind_test
