#include "sim/config/load.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/config/sample.hpp"

namespace oscar::load_test {
namespace {

using sample::error_of;
using Form = ConfigNode::Form;

std::string load_error(const std::filesystem::path& file) {
    return error_of([&] { load_config(file); });
}
std::string parse_error(std::string_view yaml) {
    return error_of([&] { parse_config(yaml, "demo.yaml"); });
}

/// A file in a folder that vanishes with the object.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view text) {
        std::string pattern = std::filesystem::temp_directory_path() / "oscar-config-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        std::ofstream(path()) << text;
    }
    ~TemporaryFile() { std::filesystem::remove_all(folder_); }
    std::filesystem::path folder() const { return folder_; }
    std::filesystem::path path() const { return folder_ / "ring8.yaml"; }

private:
    std::filesystem::path folder_;
};

TEST(LoadConfig, KeepsFormPlaceAndPathOfEveryValue) {
    const ConfigNode root =
        parse_config("network:\n  link: {bandwidth: 400Gbps, buffer: }\nmethods: [raw, asc]\n", "a.yaml");
    const ConfigNode link = root.child("network").child("link");
    EXPECT_EQ(link.form, Form::map);
    EXPECT_EQ(link.path, "network.link");
    EXPECT_EQ(link.location.text(), "a.yaml:2:9");
    EXPECT_EQ(link.key_location.text(), "a.yaml:2:3");
    EXPECT_EQ(link.child("bandwidth").text, "400Gbps");
    EXPECT_EQ(link.child("bandwidth").location.text(), "a.yaml:2:21");
    EXPECT_EQ(link.child("bandwidth").key_location.text(), "a.yaml:2:10");
    EXPECT_EQ(link.child("buffer").form, Form::null);
    const ConfigNode methods = root.child("methods");
    EXPECT_EQ(methods.form, Form::list);
    EXPECT_EQ(methods.child("1").text, "asc");
    EXPECT_EQ(methods.child("1").path, "methods.1");
    EXPECT_EQ(methods.child("1").location.text(), "a.yaml:3:16");
}

TEST(LoadConfig, GivesAMissingEntryAsNullWithItsPath) {
    const ConfigNode root = parse_config("network: {link: {}}", "a.yaml");
    EXPECT_EQ(root.find("trace"), nullptr);
    EXPECT_EQ(root.child("trace").form, Form::null);
    EXPECT_EQ(root.child("network").child("packet").path, "network.packet");
    EXPECT_EQ(error_of([&] { root.child("trace").fail("is missing; name a folder"); }),
              "a.yaml:1:1: trace: is missing; name a folder");
}

TEST(LoadConfig, TellsNullFromAQuotedNull) {
    const ConfigNode root = parse_config("a: null\nb: ~\nc: \"null\"\nd: ''\n", "a.yaml");
    EXPECT_EQ(root.child("a").form, Form::null);
    EXPECT_EQ(root.child("b").form, Form::null);
    EXPECT_EQ(root.child("c").form, Form::scalar);
    EXPECT_EQ(root.child("d").form, Form::scalar);
}

TEST(LoadConfig, ReadsAFileAndNamesItAsItWasNamed) {
    const TemporaryFile file("seed: 1\n");
    EXPECT_EQ(load_config(file.path()).child("seed").location.text(), file.path().string() + ":1:7");
}

TEST(LoadConfig, RefusesAFileThatIsMissingAFolderOrEmpty) {
    const TemporaryFile file("# nothing but a comment\n");
    EXPECT_EQ(load_error("no/demo.yaml"), "no/demo.yaml: no such file; name a YAML file");
    EXPECT_EQ(load_error(file.folder()), file.folder().string() + ": is a folder; name a YAML file");
    EXPECT_EQ(load_error(file.path()),
              file.path().string() + ":1:1: is empty; write at least one parameter, like seed: 1");
    EXPECT_EQ(parse_error(""), "demo.yaml:1:1: is empty; write at least one parameter, like seed: 1");
    EXPECT_EQ(parse_error("---\n"), "demo.yaml:1:1: is empty; write at least one parameter, like seed: 1");
}

TEST(LoadConfig, RefusesPipesAndDevicesWithoutReadingThem) {
    const TemporaryFile file("seed: 1\n");
    const auto pipe = file.folder() / "pipe.yaml";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(load_error(pipe), pipe.string() + ": is a pipe or a device; name a YAML file");
    EXPECT_EQ(load_error("/dev/zero"), "/dev/zero: is a pipe or a device; name a YAML file");
}

TEST(LoadConfig, RefusesAFileThatIsTooLargeToBeAConfiguration) {
    const TemporaryFile file("seed: 1\n");
    std::filesystem::resize_file(file.path(), (16U << 20) + 1);
    EXPECT_EQ(load_error(file.path()), file.path().string() + ": holds more than 16 MiB; name a YAML file");
}

TEST(LoadConfig, RefusesTextThatIsNotUtf8) {
    EXPECT_EQ(parse_error("seed: 1\nname: a\xffz\n"), "demo.yaml:2:7: name: is not UTF-8; save the file in UTF-8");
    EXPECT_EQ(parse_error("link: {a\xc3: 1}\n"), "demo.yaml:1:8: link: a key is not UTF-8; save the file in UTF-8");
    EXPECT_EQ(parse_config("name: \"\xc3\xa9 \xe2\x82\xac\"", "demo.yaml").child("name").text, "\xc3\xa9 \xe2\x82\xac");
    EXPECT_NO_THROW(parse_config("name: a   # \xff in a comment\n", "demo.yaml"));
}

TEST(LoadConfig, RefusesAFileWithoutPermission) {
    const TemporaryFile file("seed: 1\n");
    std::filesystem::permissions(file.path(), std::filesystem::perms::none);
    std::filesystem::permissions(file.folder(), std::filesystem::perms{0755});
    const auto user = ::geteuid();
    ASSERT_EQ(::seteuid(user == 0 ? 65534 : user), 0);   // root may read everything, nobody may not
    EXPECT_EQ(load_error(file.path()), file.path().string() + ": cannot be read (Permission denied)");
    ASSERT_EQ(::seteuid(user), 0);
}

TEST(LoadConfig, ShowsWhereTheTextStopsBeingYaml) {
    EXPECT_EQ(parse_error("a: b: c\n"),
              "demo.yaml:1:5: is not YAML (illegal map value); check brackets, quotes and indentation here");
}

TEST(LoadConfig, NamesTheLineThatIsIndentedByATab) {
    const std::string tab = ": is indented by a tab, which YAML does not take; indent by spaces";
    EXPECT_EQ(parse_error("seed: 1\n\tranks: 8\n"), "demo.yaml:2:1" + tab);
    EXPECT_EQ(parse_error("link:\n\tbuffer: 1KiB\n"), "demo.yaml:2:1" + tab);
    EXPECT_EQ(parse_error("link:\n  buffer: 1KiB\n \ttrim: true\nseed: 1\n"), "demo.yaml:3:1" + tab);
    EXPECT_EQ(parse_error("methods:\n\t- fp32\n\t- asc\n"), "demo.yaml:2:1" + tab);
    EXPECT_NO_THROW(parse_config("seed: 1\t# a tab before a comment\n\t\nlink: {\n\tbuffer: 1KiB}\n", "demo.yaml"));
    EXPECT_EQ(parse_error("link: {\n\tbuffer: 1KiB}\n\na: b: c\n").substr(0, 27), "demo.yaml:4:5: is not YAML ");
}

TEST(LoadConfig, NamesTheBracketThatIsNeverClosed) {
    EXPECT_EQ(parse_error("trace: [a, b\nmethods: x\n").substr(0, 60),
              std::string("demo.yaml:1:8: trace: the bracket [ that opens here is not cl").substr(0, 60));
    EXPECT_EQ(parse_error("seed: 1\nranks: [1, 2\n"),
              "demo.yaml:2:8: ranks: the bracket [ that opens here is not closed before 3:1; close it, or check what "
              "stands there");
    EXPECT_EQ(parse_error("network:\n  link: {buffer: 1KiB\nseed: 1\n").substr(0, 55),
              std::string("demo.yaml:2:9: network.link: the brace { that opens here is").substr(0, 55));
    EXPECT_EQ(parse_error("methods: [{kind: asc, lanes: 4]\n"),
              "demo.yaml:1:31: the bracket here closes one of the other kind, or none; check the brackets before it");
}

TEST(LoadConfig, RefusesAKeyThatStandsTwice) {
    EXPECT_EQ(parse_error("link:\n  buffer: 1KiB\n  buffer: 2KiB\n"),
              "demo.yaml:3:3: link.buffer: stands twice, first at demo.yaml:2:3; remove one");
}

TEST(LoadConfig, RefusesKeysThatAreNoNames) {
    EXPECT_EQ(parse_error("a: {[1, 2]: 3}"),
              "demo.yaml:1:5: a: a key must be a plain name; write it like bits: 8, and close each bracket");
    EXPECT_EQ(parse_error("~: 3"),
              "demo.yaml:1:1: a key must be a plain name; write it like bits: 8, and close each bracket");
}

TEST(LoadConfig, RefusesAliasesSoThatASmallFileStaysASmallTree) {
    EXPECT_EQ(parse_error("a: &x [1]\nb: *x\n"), "demo.yaml:2:4: b: aliases are not supported; write the value out");
}

TEST(LoadConfig, RefusesASecondDocument) {
    EXPECT_EQ(parse_error("seed: 1\n---\nseed: 2\n"),
              "demo.yaml:2:1: a second YAML document starts here; split them into files");
    EXPECT_EQ(parse_error("seed: 1\n...\n\n--- {seed: 2}\n").substr(0, 15), "demo.yaml:4:1: ");
}

TEST(LoadConfig, SurvivesNestingWithoutEnd) {
    EXPECT_NE(parse_error(std::string(100'000, '[')), "no error");
    EXPECT_NE(parse_error(std::string(100'000, '{')), "no error");
}

TEST(LoadConfig, ReadsOrRefusesATextWithAnyOneByteChanged) {
    const std::string good =
        "experiment: \"demo\"   # name\nnetwork:\n  link: {bandwidth: 400Gbps}\nmethods:\n  - raw\n  - {kind: asc, "
        "lanes: 4}\n"
        "codec: asc\nweights: [1, 0.5]\n";
    ASSERT_NO_THROW(sample::parse(good));
    for (std::size_t at = 0; at < good.size(); ++at)
        for (const char c : std::string_view("\0\xff\"'{}[]:,&*!|>?-%@#~\n\t 9", 26)) {
            std::string text = good;
            text[at] = c;
            const std::string error = sample::error_in(text);   // anything but a ConfigError fails the test
            EXPECT_EQ(error.find('\n'), std::string::npos);
        }
}

TEST(ConfigError, IsOneLineWhateverTheFileHolds) {
    EXPECT_EQ(parse_error("\"a\\nb\": 1\n\"a\\nb\": 2\n"),
              "demo.yaml:2:1: a\\nb: stands twice, first at demo.yaml:1:1; remove one");
    EXPECT_STREQ(ConfigError("a\tb\x1b[0m").what(), "a\\x09b\\x1b[0m");
    EXPECT_STREQ(ConfigError("\xc3\xa9\xff\xc3").what(), "\xc3\xa9\\xff\\xc3");           // what is UTF-8 stays
    EXPECT_STREQ(ConfigError("\xc2\x9b[2J \xc2\xa0").what(), "\\xc2\\x9b[2J \xc2\xa0");   // U+009B is an escape, too
}

TEST(ConfigError, KnowsItsPlaceAndItsReasonApart) {
    const ConfigError error("a.yaml:1:2", "link.buffer", "is wrong");
    EXPECT_STREQ(error.what(), "a.yaml:1:2: link.buffer: is wrong");
    EXPECT_EQ(error.place, "a.yaml:1:2");
    EXPECT_EQ(error.reason, "is wrong");
    EXPECT_STREQ(ConfigError("a.yaml:1:2", "", "is wrong").what(), "a.yaml:1:2: is wrong");
}

}   // namespace
}   // namespace oscar::load_test
