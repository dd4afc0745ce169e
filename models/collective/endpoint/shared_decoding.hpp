// The decoding of a message that several ranks receive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "models/codec/interface/codec.hpp"

namespace oscar {

/// The symbols of a message, and the blocks that they came in.
struct Decoded {
    std::vector<Symbol> symbols;
    std::vector<Block> blocks;
};

/// The context and the tables with which a rank decodes a message's bytes.
struct DecoderState {
    Context context{};
    Tables tables{};
    std::size_t symbols = 0, bytes = 0;   ///< that it expects, and takes for them
};

/// Decodes one message once for all ranks that receive it and would decode it with the same tables, classes and
/// context; a rank that holds others decodes it by itself. Threads may share it.
/// Law: get(state, decode) is what decode() returns, if decode() is a function of the message and the state.
class SharedDecoding {
public:
    using Decode = std::function<Decoded()>;

    /// Throws what `decode` throws; the next rank then tries again.
    std::shared_ptr<const Decoded> get(const DecoderState& state, const Decode& decode);

private:
    /// A copy of the state that a decoding was made with.
    struct Made {
        Context context;
        std::vector<Table> tables;
        std::vector<std::uint8_t> classes;
        std::size_t bytes;
        std::shared_ptr<const Decoded> decoded;
    };
    static Made made_with(const DecoderState& state, const Decode& decode);
    static bool equal(const Made& made, const DecoderState& state);

    std::mutex mutex_;
    std::optional<Made> made_;
};

}   // namespace oscar
