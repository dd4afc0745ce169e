// How statistics add up: rules that make one value of those of several parts, the buckets of an iteration or the
// iterations of a run. There is at least one part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/report/causes/bottleneck.hpp"
#include "sim/report/mean.hpp"
#include "sim/report/metrics.hpp"

namespace oscar::aggregation {

using Parts = std::span<const IterationResult>;
template <class T>
using Member = T IterationResult::*;

struct Sum {
    static constexpr std::string_view text = "sum";
    template <class T>
    T operator()(Parts parts, Member<T> member) const {
        T sum{};
        for (const IterationResult& part : parts) sum += part.*member;
        return sum;
    }
};

/// The sum of an optional value; null if a part has none.
struct SumIfAll {
    static constexpr std::string_view text = "sum; null if one is null";
    template <class T>
    std::optional<T> operator()(Parts parts, Member<std::optional<T>> member) const {
        T sum{};
        for (const IterationResult& part : parts) {
            if (!(part.*member)) return std::nullopt;
            sum += *(part.*member);
        }
        return sum;
    }
};

/// The sum of an optional set of counts over the parts that have one; null if none has.
struct SumOfPresent {
    static constexpr std::string_view text = "sum";
    template <class T>
    std::optional<T> operator()(Parts parts, Member<std::optional<T>> member) const {
        std::optional<T> sum;
        for (const IterationResult& part : parts)
            if (part.*member) sum = sum.value_or(T{}) += *(part.*member);
        return sum;
    }
};

/// Times are rounded, and so are the parts of a critical path, such that its total is the mean of the totals.
struct Mean {
    static constexpr std::string_view text = "mean";
    std::int64_t operator()(Parts parts, Member<std::int64_t> member) const { return mean_ps(parts, member); }
    double operator()(Parts parts, Member<double> member) const {
        return Sum{}(parts, member) / static_cast<double>(parts.size());
    }
    CriticalPath operator()(Parts parts, Member<CriticalPath> member) const {
        std::vector<CriticalPath> paths;
        for (const IterationResult& part : parts) paths.push_back(part.*member);
        return mean_path(paths);
    }
};

/// The mean of an optional value; null if a part has none. The sum is divided as a whole, such that the mean of ones is
/// one. Times are rounded down.
struct MeanIfAll {
    static constexpr std::string_view text = "mean; null if one is null";
    template <class T>
    std::optional<T> operator()(Parts parts, Member<std::optional<T>> member) const {
        auto sum = SumIfAll{}(parts, member);
        if (sum) *sum /= static_cast<T>(parts.size());
        return sum;
    }
};

/// The mean of an optional value as the sum of the parts' shares of it; null if a part has none.
struct SumOfSharesIfAll {
    static constexpr std::string_view text = MeanIfAll::text;
    std::optional<double> operator()(Parts parts, Member<std::optional<double>> member) const {
        double sum = 0;
        for (const IterationResult& part : parts) {
            if (!(part.*member)) return std::nullopt;
            sum += *(part.*member) / static_cast<double>(parts.size());
        }
        return sum;
    }
};

struct MeanOfPresent {
    static constexpr std::string_view text = "mean of those that are not null";
    std::optional<double> operator()(Parts parts, Member<std::optional<double>> member) const {
        double sum = 0;
        int count = 0;
        for (const IterationResult& part : parts)
            if (part.*member) {
                sum += *(part.*member);
                ++count;
            }
        return count > 0 ? std::optional(sum / count) : std::nullopt;
    }
};

/// Mean by weights; of an optional value, over the parts that have one.
struct WeightedMean {
    std::string_view text;
    double (*weight)(const IterationResult&);
    double operator()(Parts parts, Member<double> member) const {
        double sum = 0, weights = 0;
        for (const IterationResult& part : parts) {
            sum += part.*member * weight(part);
            weights += weight(part);
        }
        return weights > 0 ? sum / weights : 0;
    }
    std::optional<double> operator()(Parts parts, Member<std::optional<double>> member) const {
        double sum = 0, weights = 0;
        bool any = false;
        for (const IterationResult& part : parts) {
            if (!(part.*member)) continue;
            any = true;
            sum += *(part.*member) * weight(part);
            weights += weight(part);
        }
        if (!any) return std::nullopt;
        return weights > 0 ? sum / weights : 0;
    }
};

struct Largest {
    static constexpr std::string_view text = "largest";
    template <class T>
    T operator()(Parts parts, Member<T> member) const {
        return (*std::ranges::max_element(parts, {}, member)).*member;
    }
};

struct First {
    static constexpr std::string_view text = "first";
    template <class T>
    T operator()(Parts parts, Member<T> member) const {
        return parts.front().*member;
    }
};

/// Not made of the parts: set for the whole run, when all its methods have been added up.
struct Compared {
    std::string_view text = "of the summed critical paths";
    template <class T>
    T operator()(Parts parts, Member<T> member) const {
        return First{}(parts, member);
    }
};

struct AllTrue {
    static constexpr std::string_view text = "all; null if one is null";
    std::optional<bool> operator()(Parts parts, Member<std::optional<bool>> member) const {
        bool all = true;
        for (const IterationResult& part : parts) {
            if (!(part.*member)) return std::nullopt;
            all = all && *(part.*member);
        }
        return all;
    }
};

struct Joined {
    static constexpr std::string_view text = "concatenated";
    template <class T>
    std::vector<T> operator()(Parts parts, Member<std::vector<T>> member) const {
        std::vector<T> all;
        for (const IterationResult& part : parts) all.insert(all.end(), (part.*member).begin(), (part.*member).end());
        return all;
    }
};

/// Made of the parts as a whole, by a rule of its own.
template <class T>
struct Combined {
    std::string_view text;
    T (*combine)(Parts);
    T operator()(Parts parts, Member<T>) const { return combine(parts); }
};
template <class T>
Combined(const char*, T (*)(Parts)) -> Combined<T>;

/// Made of the other statistics, once they have been added up.
template <class T>
struct Derived {
    std::string_view text;
    T (*derive)(const IterationResult&);
};
template <class T>
Derived(const char*, T (*)(const IterationResult&)) -> Derived<T>;

template <class T>
inline constexpr bool is_derived = false;
template <class T>
inline constexpr bool is_derived<Derived<T>> = true;

}   // namespace oscar::aggregation
