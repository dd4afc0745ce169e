#include "models/nic/wire/assembly.hpp"

#include <utility>

namespace oscar {

void Assembly::add(const Delivery& delivery) {
    if (delivery.whole != nullptr && !shared_) shared_ = delivery.whole->bytes;
    if (delivery.whole == nullptr && !altered_) {
        altered_ = true;
        if (received_ > 0)
            bytes_.assign(shared_->bytes.begin(), shared_->bytes.begin() + static_cast<std::ptrdiff_t>(received_));
    }
    if (altered_) bytes_.insert(bytes_.end(), delivery.bytes.begin(), delivery.bytes.end());
    received_ += delivery.size;
    packets_ += delivery.packets;
}

std::shared_ptr<const Encoded> Assembly::take() {
    if (!altered_) return std::move(shared_);
    Encoded own;
    own.bytes = std::move(bytes_);
    return std::make_shared<const Encoded>(std::move(own));
}

void Assembly::clear() {
    received_ = 0;
    packets_ = 0;
    altered_ = false;
    shared_.reset();
    bytes_.clear();
}

}   // namespace oscar
