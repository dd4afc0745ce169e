#include "models/codec/kinds/codecs.hpp"

#include <variant>

namespace oscar {

std::unique_ptr<Codec> make_codec(const CodecChoice& choice, const Framing& framing) {
    return std::visit([&framing](const auto& params) { return make_codec(params, framing); }, choice.params);
}

}   // namespace oscar
