// A receiver knows what its deliveries bring, and nothing of its sender: read from the sources.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace oscar::receiver_knowledge_test {
namespace {

/// A source without its comments.
std::string code_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in) << path;
    std::string code;
    for (std::string line; std::getline(in, line);) code += line.substr(0, line.find("//")) + "\n";
    return code;
}

const std::vector<std::string> receiving{"receive.hpp", "receive.cpp", "wire/assembly.hpp", "wire/assembly.cpp",
                                         "wire/delivery.hpp"};

TEST(Receiver, DoesNotNameTheTableOfMessagesNorWhenPacketsLeft) {
    for (const std::string& file : receiving) {
        const std::string code = code_of("models/nic/" + file);
        for (const std::string name : {"messages", "MessagesInFlight", "messages_in_flight", "StepInFlight",
                                       "PacketTrain", "train_of", "departure", "eligible", "send", "flows_"})
            EXPECT_THAT(code, ::testing::Not(::testing::ContainsRegex("\\b" + name + "\\b"))) << "in " << file;
    }
}

}   // namespace
}   // namespace oscar::receiver_knowledge_test
