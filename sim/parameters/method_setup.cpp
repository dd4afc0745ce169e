#include "sim/parameters/method_setup.hpp"

#include "models/job/schedule_on.hpp"
#include "sim/parameters/nccl.hpp"

namespace oscar {

ElementType element_type_of(const Method& method) {
    if (std::holds_alternative<Fp32Params>(method.codec.params)) return ElementType::float32;
    if (const auto* fp8 = std::get_if<Fp8Params>(&method.codec.params))
        return fp8->format == Float8Format::e5m2 ? ElementType::float8_e5m2 : ElementType::float8_e4m3;
    return std::holds_alternative<Bf16Params>(method.codec.params) ? ElementType::bfloat16 : ElementType::integer;
}

Plan make_plan_of(const Parameters& p, const Method& method, const Topology& topology) {
    const ElementType type = element_type_of(method);
    const std::uint32_t simulated = simulated_ranks(p);
    Plan plan(simulated < p.ranks ? make_part(p.collective, p.ranks, topology.island, simulated)
                                  : schedule_on(p.collective, topology),
              type, word_bits(type, fixed_point(p.quantiser).bits), operation_of(p.collective),
              method.delta_gather.value_or(p.delta_gather), p.gpu.island_port ? topology.island : 1);
    if (simulated < p.ranks) plan.fold(simulated);
    return plan;
}

const ChunkKind& chunks_of(const Parameters& p, const Method& method) {
    return method.chunks ? *method.chunks : p.chunks;
}

const SplitChoice& split_of(const Parameters& p, const Method& method) {
    return method.split ? *method.split : p.split;
}

const ClassifierKind& classes_of(const Parameters& p, const Method& method) {
    return method.classes ? *method.classes : p.classes;
}

bool codes_by_class(const Parameters& p, const Method& method, const Codec& codec) {
    return codec.uses_classes() && !std::holds_alternative<NoSplitParams>(split_of(p, method).params);
}

Planning planning_of(const Parameters& p, const Method& method, const Codec& codec, std::uint64_t elements) {
    if (codec.constant_rate()) return {};
    const bool by_class = codes_by_class(p, method, codec) && values_per_class(classes_of(p, method)) > 0;
    const ChunkKind& chunks = chunks_of(p, method);
    const CostSource costs = std::visit([](const auto& params) { return params.costs; }, chunks.params);
    Planning planning{.remembers = by_class && remembers(classes_of(p, method)),
                      .of_own_codes = costs == CostSource::rank0};
    if (by_class || costs == CostSource::sums || costs == CostSource::rank0) planning.values = elements;
    else if (const auto* measured = std::get_if<MeasuredParams>(&chunks.params))
        planning.values = (elements + measured->granularity - 1) / measured->granularity;
    return planning;
}

std::unique_ptr<Codec> make_codec_of(const Parameters& p, const Method& method, std::uint32_t classes) {
    auto codec = make_codec(method.codec, p.engine.framing());
    if (const auto lines = lines_of(p)) codec = make_line_codec(std::move(codec), *lines);
    if (!codec->constant_rate())
        codec = make_split_codec(split_of(p, method), std::move(codec), p.engine.framing(), classes);
    return p.payload == Payload::size_only ? make_size_only_codec(std::move(codec)) : std::move(codec);
}

std::unique_ptr<Codec> make_inside_codec_of(const Parameters& p, const Method& method) {
    if (!p.gpu.island_port || element_type_of(method) != ElementType::integer) return nullptr;
    auto codec = make_codec(FixedPointParams{}, p.engine.framing());
    return p.payload == Payload::size_only ? make_size_only_codec(std::move(codec)) : std::move(codec);
}

}   // namespace oscar
