#include "models/network/transport/protocols.hpp"

#include "models/network/transport/go_back_n.hpp"
#include "models/network/transport/selective_repeat.hpp"

namespace oscar {
namespace {

class UnreliableSender : public SendingEnd {
public:
    void offer(std::uint64_t packets) override { offered_ += packets; }
    std::optional<std::uint64_t> next() const override {
        return next_ < offered_ ? std::optional(next_) : std::nullopt;
    }
    void sent(Time) override { ++next_; }
    void answered(const Answer&, Time) override {}
    std::optional<Time> deadline() const override { return std::nullopt; }
    void expired(Time) override {}
    std::uint64_t acknowledged() const override { return next_; }

private:
    std::uint64_t next_ = 0, offered_ = 0;
};

class UnreliableReceiver : public ReceivingEnd {
public:
    Verdict received(std::uint64_t number) override {
        if (number != expected_) return {};
        ++expected_;
        return {1};
    }

private:
    std::uint64_t expected_ = 0;
};

Protocol ends(const UnreliableParams&) {
    return {std::make_unique<UnreliableSender>(), std::make_unique<UnreliableReceiver>()};
}
Protocol ends(const LinkRetryParams&) { return ends(UnreliableParams{}); }
Protocol ends(const GoBackNParams& params) {
    return {std::make_unique<GoBackNSender>(params), std::make_unique<GoBackNReceiver>()};
}
Protocol ends(const SelectiveParams& params) {
    return {std::make_unique<SelectiveSender>(params), std::make_unique<SelectiveReceiver>(params)};
}

}   // namespace

std::optional<Time> timeout_of(const Reliability& reliability) {
    return std::visit(
        [](const auto& params) -> std::optional<Time> {
            if constexpr (requires { params.timeout; }) return params.timeout;
            else return std::nullopt;
        },
        reliability.params);
}

bool is_end_to_end(const Reliability& reliability) { return timeout_of(reliability).has_value(); }

Protocol make_protocol(const Reliability& reliability) {
    return std::visit([](const auto& params) { return ends(params); }, reliability.params);
}

}   // namespace oscar
