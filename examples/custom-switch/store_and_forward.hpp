// A switch of a user's own: store and forward. No flit of a packet leaves before the whole packet has come.
#pragma once

#include <map>
#include <vector>

#include "models/machine/switch/switch.hpp"

class StoreAndForward : public oscar::Switch {
public:
    using Switch::Switch;

protected:
    void receive(std::uint32_t input, const oscar::Flit& flit, oscar::ExactTime begin, oscar::ExactTime end) override {
        std::vector<oscar::Flit>& packet = stored_[input];
        packet.push_back(flit);
        if (!flit.tail) return;
        for (const oscar::Flit& part : packet) Switch::receive(input, part, begin, end);   // all of them are there now
        packet.clear();
    }

private:
    std::map<std::uint32_t, std::vector<oscar::Flit>> stored_;   // per input
};
