// Hashes of a trace: of its arrays, and of it as a whole.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <limits>

#include "sim/config/load.hpp"
#include "sim/trace/array_hash.hpp"
#include "sim/trace/error.hpp"
#include "sim/trace/manifest_hashes.hpp"
#include "sim/trace/new_trace.hpp"
#include "sim/trace/trace.hpp"
#include "tests/trace/trace_folder.hpp"

namespace oscar::trace_hash_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::npy_file;
using testing::TemporaryFolder;

constexpr std::string_view first_format =
    "# made by hand\nformat: 1   # the older\nparameters: 2\nranks: 2\ndata: {licence: MIT}\n"
    "layers:\n  - {name: a, shape: [2]}\n"
    "iterations:\n  - {file: a.npy, step: 1}   # the first\n  - file: b.npy\n    step: 2\n";

/// A trace of format 1 with two arrays.
struct SmallTrace : TemporaryFolder {
    SmallTrace() {
        write("trace.yaml", first_format);
        write("a.npy", npy_file(2, 2, {1, 2, 3, 4}));
        write("b.npy", npy_file(2, 2, {5, 6, 7, 8}));
    }
    std::string manifest() const {
        std::ifstream file(path() / "trace.yaml");
        return {std::istreambuf_iterator<char>(file), {}};
    }
    std::string hash() const { return Trace::open(path()).hash(); }
    std::string error() const {
        return testing::error_of<InputError>(*this, [&] { hash(); });
    }
};

TEST(FileHash, IsThePublishedXxh3) {
    const TemporaryFolder folder;
    EXPECT_EQ(FileHash().text(), "2d06800538d394c2");   // of nothing: xxHash's own test vector, XSUM_sanityCheck.c
    EXPECT_EQ(file_hash(folder.write("empty", "")), "2d06800538d394c2");
}

TEST(FileHash, DoesNotDependOnHowTheBytesCome) {
    std::string bytes(100'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 3);
    const TemporaryFolder folder;
    const std::string whole = file_hash(folder.write("bytes", bytes));
    for (const std::size_t part : {1UL, 7UL, 255UL, 4096UL}) {
        FileHash hash;
        for (std::size_t at = 0; at < bytes.size(); at += part)
            hash.add(std::as_bytes(std::span(bytes)).subspan(at, std::min(part, bytes.size() - at)));
        EXPECT_EQ(hash.text(), whole) << part;
    }
}

TEST(WriteHashes, KeepsLayoutAndCommentsAndAddsTheHashOfEachArray) {
    const SmallTrace trace;
    const std::string before = trace.hash();
    write_hashes(trace.path());
    const std::string a = file_hash(trace.path() / "a.npy"), b = file_hash(trace.path() / "b.npy");
    EXPECT_EQ(trace.manifest(),
              "# made by hand\nformat: 2   # the older\nparameters: 2\nranks: 2\ndata: {licence: MIT}\n"
              "layers:\n  - {name: a, shape: [2]}\n"
              "iterations:\n  - {file: a.npy, hash: \"" +
                  a +
                  "\", step: 1}   # the first\n"
                  "  - file: b.npy\n    hash: \"" +
                  b + "\"\n    step: 2\n");
    EXPECT_NE(trace.hash(), before);   // trace.yaml has changed
    EXPECT_TRUE(Trace::open(trace.path()).has_hashes());
}

TEST(WriteHashes, AgainChangesNothingAndAfterAChangeOnlyThatHash) {
    const SmallTrace trace;
    write_hashes(trace.path());
    const std::string once = trace.manifest();
    write_hashes(trace.path());
    EXPECT_EQ(trace.manifest(), once);
    const std::string old_hash = file_hash(trace.path() / "b.npy");
    trace.write("b.npy", npy_file(2, 2, {5, 6, 7, 9}));
    write_hashes(trace.path());
    std::string expected = once;
    expected.replace(expected.find(old_hash), 16, file_hash(trace.path() / "b.npy"));
    EXPECT_EQ(trace.manifest(), expected);
}

TEST(WriteHashes, TakesATraceWhoseHashesAreMissingWrongOrInQuotesOfAnyKind) {
    for (const std::string_view older : {"", ", hash: no hash", ", hash: 'no, hash}'", ", hash: \"x\""}) {
        const SmallTrace trace;
        std::string text(first_format);
        text.replace(text.find("format: 1"), 9, "format: 2");
        trace.write("trace.yaml", text.replace(text.find(", step: 1"), 0, older));
        EXPECT_NE(trace.error(), "no error");
        write_hashes(trace.path());
        EXPECT_EQ(trace.error(), "no error") << older;
        EXPECT_THAT(trace.manifest(), HasSubstr("# made by hand")) << older;
    }
}

TEST(WriteHashes, WritesAManifestAnewWhoseLayoutItCannotKeep) {
    const SmallTrace trace;
    std::string text(first_format);   // a name with a line end, within which columns do not count
    trace.write("trace.yaml", text.replace(text.find("{file: a.npy"), 12, "!x {file: a.npy"));
    write_hashes(trace.path());
    EXPECT_EQ(trace.error(), "no error");
}

TEST(TraceHash, OfFormat2NamesTheArrayThatWasChangedWithBothHashes) {
    const SmallTrace trace;
    write_hashes(trace.path());
    const std::string expected = file_hash(trace.path() / "b.npy");
    trace.write("b.npy", npy_file(2, 2, {5, 6, 7, 8.000001F}));
    EXPECT_EQ(trace.error(), "b.npy: has the hash " + file_hash(trace.path() / "b.npy") +
                                 ", but trace.yaml:11:11 says " + expected +
                                 ", so it was changed; bring back the file, or keep the change by oscar-sim "
                                 "trace hash --write " +
                                 trace.path().string());
}

TEST(TraceHash, OfAnArrayThatIsCutOffOrHoldsNaNSaysThatAndNoHash) {
    const SmallTrace trace;
    write_hashes(trace.path());
    trace.write("b.npy", npy_file(2, 2, {5, 6, std::numeric_limits<float>::quiet_NaN(), 8}));
    EXPECT_THAT(trace.error(),
                AllOf(HasSubstr("the gradient of rank 1 is NaN at value 0 of layer a"), Not(HasSubstr("hash"))));
    const std::string whole = npy_file(2, 2, {5, 6, 7, 8});
    trace.write("b.npy", whole.substr(0, whole.size() - 1));
    EXPECT_THAT(trace.error(), AllOf(HasSubstr("b.npy"), Not(HasSubstr("hash"))));
}

TEST(TraceHash, OfFormat1IsWhateverTheArraysHold) {
    const SmallTrace trace;
    const std::string before = trace.hash();
    trace.write("b.npy", npy_file(2, 2, {5, 6, 7, 9}));
    EXPECT_EQ(trace.error(), "no error");
    EXPECT_NE(trace.hash(), before);
}

TEST(TraceErrors, RefuseFormat2WithoutAHashAndFormat1WithOne) {
    const SmallTrace trace;
    const auto error = [&](std::string_view from, std::string_view to, std::string_view also, std::string_view by) {
        std::string text(first_format);
        text.replace(text.find(from), from.size(), to);
        trace.write("trace.yaml", text.replace(text.find(also), also.size(), by));
        return trace.error();
    };
    const std::string remedy = "; oscar-sim trace hash --write FOLDER writes the 16 hexadecimal digits of each array";
    EXPECT_EQ(error("format: 1", "format: 2", "", ""), "trace.yaml:9:5: iterations.0.hash: is missing" + remedy);
    for (const std::string_view wrong : {"0123456789abcde", "0123456789abcdefa", "0123456789ABCDEF"})
        EXPECT_THAT(error("format: 1", "format: 2", "{file:", "{hash: \"" + std::string(wrong) + "\", file:"),
                    AllOf(HasSubstr("iterations.0.hash: is no hash"), HasSubstr(remedy)));
    EXPECT_EQ(error("", "", "{file:", "{hash: x, file:"),
              "trace.yaml:9:6: iterations.0.hash: belongs to format 2; write format: 2 at the top, and a hash in each "
              "iteration");
}

TEST(WriteManifest, SaysTheHashOfEachArrayWhateverTheManifestSaidBefore) {
    const TemporaryFolder folder;
    TraceManifest manifest = Trace::open(SmallTrace().path()).manifest();
    manifest.iterations.pop_back();
    manifest.iterations[0].hash = "0123456789abcdef";
    NewFolder made(folder.path() / "out");
    { NewArray(made.path() / "a.npy", "<f4", ValueType::f4, 2, 2); }
    write_manifest(made, manifest);
    made.commit();
    const Trace trace = Trace::open(folder.path() / "out");
    EXPECT_EQ(trace.manifest().format, 2U);
    EXPECT_EQ(trace.manifest().iterations[0].hash, file_hash(folder.path() / "out/a.npy"));
    EXPECT_NO_THROW(trace.hash());
}

}   // namespace
}   // namespace oscar::trace_hash_test
