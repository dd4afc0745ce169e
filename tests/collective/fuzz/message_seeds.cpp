// message_seeds FOLDER: writes the seeds of message_fuzz, messages as they were sent, into a folder that is there.
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/collective/fuzz/altered_message.hpp"

int main(int count, char** arguments) {
    if (count != 2) return std::fputs("message_seeds: name a folder\n", stderr), 2;
    for (std::size_t link = 0; link < oscar::test::altered_message_links(); ++link) {
        const std::vector<std::byte> seed = oscar::test::sound_input(link);
        std::ofstream file(std::string(arguments[1]) + "/link-" + std::to_string(link), std::ios::binary);
        if (!file.write(reinterpret_cast<const char*>(seed.data()), static_cast<std::streamsize>(seed.size())).flush())
            return std::fprintf(stderr, "message_seeds: %s cannot be written\n", arguments[1]), 1;
    }
    return 0;
}
