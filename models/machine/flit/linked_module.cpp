#include "models/machine/flit/linked_module.hpp"

#include <utility>

namespace oscar {

LinkedModule::LinkedModule(const sc_core::sc_module_name& name, LinkedModuleParams params)
    : sc_module(name),
      in("in", params.inputs.size()),
      credit_out("credit_out", params.inputs.size()),
      out("out", params.outputs.size()),
      credit_in("credit_in", params.outputs.size()),
      params_(std::move(params)) {
    for (std::uint32_t i = 0; i < params_.inputs.size(); ++i) in[i].bind(inputs_.emplace_back(*this, i));
    for (std::uint32_t i = 0; i < params_.outputs.size(); ++i) credit_in[i].bind(outputs_.emplace_back(*this, i));
}

LinkedModule::~LinkedModule() = default;

}   // namespace oscar
