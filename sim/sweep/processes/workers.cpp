#include "sim/sweep/processes/workers.hpp"

#include <cerrno>
#include <list>
#include <system_error>
#include <vector>

#include "sim/sweep/processes/child.hpp"

namespace oscar {
namespace {

/// Waits until a child writes or ends, or a signal comes; gives what poll saw, two entries per child in their order.
std::vector<pollfd> wait(const std::list<Child>& children, const Interrupt& interrupt) {
    std::vector<pollfd> ends;
    for (const Child& child : children)
        for (const pollfd& end : child.ends()) ends.push_back(end);
    if (::ppoll(ends.data(), ends.size(), nullptr, &interrupt.mask_of_waiting()) < 0) {
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waiting for the workers");
        for (pollfd& end : ends) end.revents = 0;
    }
    return ends;
}

void receive(std::list<Child>& children, const std::vector<pollfd>& ends) {
    std::size_t i = 0;
    for (Child& child : children)
        for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
            if (ends[i++].revents != 0) child.receive(which);
}

}   // namespace

bool run_tasks(std::size_t count, std::size_t workers, const RunTask& run,
               const std::function<void(std::size_t, const TaskEnd&)>& ended, const Interrupt& interrupt) {
    std::list<Child> children;
    std::size_t next = 0;
    while (interrupt.signal() == 0) {
        while (next < count && children.size() < workers) children.emplace_back(next++, run, interrupt);
        if (children.empty()) return true;
        receive(children, wait(children, interrupt));
        for (auto child = children.begin(); child != children.end();) {
            if (!child->silent()) {
                ++child;
                continue;
            }
            ended(child->task(), child->end());
            child = children.erase(child);
        }
    }
    return false;
}

}   // namespace oscar
