// Every codec with every setting of a method: what a run refuses is refused by the checks before it.
#include <gmock/gmock.h>

#include <functional>
#include <stdexcept>

#include "sim/describe/echo.hpp"
#include "tests/run/methods.hpp"

namespace oscar::codec_settings_test {
namespace {

using test::small_codes;
using test::SmallMachine;

/// A change of the parameters of an experiment, with its name.
struct Setting {
    std::string name;
    std::function<void(Parameters&)> apply;
};

template <class List, class Member>
void add_kinds(std::vector<Setting>& settings, const std::string& key, const List& list, Member Parameters::*member) {
    for_each_kind(list, [&]<class P>(const Kind<P>& kind) {
        settings.push_back({key + ": " + std::string(kind.name), [member](Parameters& p) { p.*member = P{}; }});
    });
}

std::vector<Setting> all_settings() {
    std::vector<Setting> all;
    add_kinds(all, "split", splits, &Parameters::split);
    add_kinds(all, "chunks", chunk_kinds, &Parameters::chunks);
    for_each_kind(classifiers, [&]<class P>(const Kind<P>& kind) {
        all.push_back({"split: physical, classes: " + std::string(kind.name), [](Parameters& p) {
                           p.split = PhysicalSplitParams{};
                           p.classes = P{};
                       }});
    });
    for_each_kind(collectives, [&]<class P>(const Kind<P>& kind) {
        if (P{}.operation != Operation::transfers)
            all.push_back({"collective: " + std::string(kind.name), [](Parameters& p) { p.collective = P{}; }});
    });
    all.push_back({"delta_gather", [](Parameters& p) { p.delta_gather = true; }});
    all.push_back({"payload: size_only", [](Parameters& p) { p.payload = Payload::size_only; }});
    all.push_back({"split: context, payload: size_only", [](Parameters& p) {
                       p.split = ContextSplitParams{};
                       p.payload = Payload::size_only;
                   }});
    return all;
}

/// A codec with all its choices, each with each.
template <class P>
std::vector<P> with_all_choices() {
    std::vector<P> all{P{}};
    for_each_field<P>([&](const auto& field) {
        using Member = std::remove_reference_t<decltype(std::declval<P&>().*field.member)>;
        if constexpr (ChoiceEnum<Member>) {
            std::vector<P> more;
            for (const P& params : all)
                for (const auto& choice : choices(Member{})) {
                    more.push_back(params);
                    more.back().*field.member = choice.value;
                }
            all = std::move(more);
        }
    });
    return all;
}

/// What a run of two iterations throws, or "none".
std::string refusal_of_run(SmallMachine& machine, const Method& method) {
    try {
        MethodRun run = run_of(machine, method);
        run.warm_up(small_codes(0, false, 1));
        run.iterate(machine.system, small_codes(1, true, 2), {}, {});
        EXPECT_EQ(run.results().back().sums_match_reference, true);
    } catch (const std::exception& error) {
        return error.what();
    }
    return "none";
}

/// A method that passes the checks runs, and one whose parts cannot be made is refused with the same words.
void expect_agreement(SmallMachine& machine, const Method& method) {
    const std::string problem = test::method_problem(machine, method);
    if (problem == "none") {
        EXPECT_EQ(refusal_of_run(machine, method), "none");
        return;
    }
    EXPECT_THAT(problem, ::testing::AnyOf(::testing::HasSubstr("choose"), ::testing::HasSubstr("write"),
                                          ::testing::HasSubstr("leave out")))
        << "no remedy";
}

TEST(TheChecksOfMethods, RefuseWhatARunWouldForEveryCodecAndSetting) {
    SmallMachine machine;
    const Parameters defaults = machine.parameters;
    for (const Setting& setting : all_settings()) {
        machine.parameters = defaults;
        setting.apply(machine.parameters);
        for (const Method& method : test::all_methods()) {
            SCOPED_TRACE(method.name + ", " + setting.name);
            expect_agreement(machine, method);
        }
    }
}

TEST(TheChecksOfMethods, RefuseWhatARunWouldForEveryChoiceOfACodec) {
    SmallMachine machine;
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        for (const P& params : with_all_choices<P>()) {
            SCOPED_TRACE(std::string(kind.name) + " " + oscar::to_json(params).dump());
            expect_agreement(machine, {std::string(kind.name), params});
        }
    });
}

TEST(TheChecksOfMethods, NameTheRemedyOfASplitThatACodecDoesNotHave) {
    SmallMachine machine;
    machine.parameters.split = ContextSplitParams{};
    for_each_kind(codecs, [&]<class P>(const Kind<P>& kind) {
        const auto codec = make_codec(CodecChoice{P{}}, machine.parameters.engine.framing());
        const bool refused = !codec->uses_classes() && !codec->constant_rate();
        EXPECT_EQ(test::method_problem(machine, {std::string(kind.name), P{}}),
                  refused ? "split context: this codec has no tables by class; choose split: physical or none, or a "
                            "codec that has, like asc"
                          : "none")
            << kind.name;
    });
}

TEST(TheChecksOfMethods, RefuseRowsThatRotateWithoutMagnitudes) {
    SmallMachine machine;
    AscParams params;
    params.scale_jump = ScaleJump::rotate;
    params.layout = Layout::ranges;
    EXPECT_THAT(test::method_problem(machine, {"asc", params}), ::testing::HasSubstr("write layout: magnitude"));
}

}   // namespace
}   // namespace oscar::codec_settings_test
