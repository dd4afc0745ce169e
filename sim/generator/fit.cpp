#include "sim/generator/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/generator/correlation.hpp"
#include "sim/generator/curve.hpp"
#include "sim/generator/pair_moments.hpp"

namespace oscar {
namespace {

double ln_ratio(const MeanProduct& product) { return product.mean() > 0 ? std::log(product.mean()) : 0; }

/// Scales and their course: mean magnitude of what is not zero, [iterations, ranks]; 0 where all is zero.
std::vector<double> scales_of(const LayerSamples& s) {
    std::vector<double> scales;
    const std::uint64_t size = s.grid.size();
    for (std::uint64_t row = 0; row < s.iterations * s.ranks; ++row) {
        double sum = 0, count = 0;
        for (std::uint64_t i = row * size; i < (row + 1) * size; ++i) {
            sum += std::fabs(static_cast<double>(s.values[i]));
            count += s.values[i] != 0;
        }
        scales.push_back(count > 0 ? sum / count : 0);
    }
    return scales;
}

/// Straight line through the mean logarithm of each iteration. A slope within two standard errors of none is none.
void fit_course(const LayerSamples& s, const std::vector<double>& scales, LayerParams& p) {
    std::vector<double> at, level;
    double within = 0, degrees = 0;
    for (std::uint64_t t = 0; t < s.iterations; ++t) {
        double sum = 0, squares = 0, count = 0;
        for (std::uint64_t r = 0; r < s.ranks; ++r)
            if (const double scale = scales[t * s.ranks + r]; scale > 0) {
                sum += std::log(scale);
                squares += std::log(scale) * std::log(scale);
                ++count;
            }
        if (count == 0) continue;
        at.push_back(static_cast<double>(t));
        level.push_back(sum / count);
        within += std::max(0.0, squares - sum * sum / count);
        degrees += count - 1;
    }
    const auto n = static_cast<double>(at.size());
    double middle = 0, mean = 0, moment = 0, product = 0, rest = 0;
    for (std::size_t i = 0; i < at.size(); ++i) middle += at[i] / n, mean += level[i] / n;
    for (std::size_t i = 0; i < at.size(); ++i) {
        moment += (at[i] - middle) * (at[i] - middle);
        product += (at[i] - middle) * (level[i] - mean);
    }
    double slope = moment > 0 ? product / moment : 0;
    const auto residual = [&] {
        double sum = 0;
        for (std::size_t i = 0; i < at.size(); ++i) sum += std::pow(level[i] - mean - slope * (at[i] - middle), 2);
        return sum;
    };
    if (n < 3 || std::fabs(slope) < 2 * std::sqrt(residual() / (n - 2) / moment)) slope = 0;
    rest = n > 1 ? residual() / (n - 1) : 0;
    p.decay = std::clamp(-slope, -1.0, 1.0);
    p.iteration_spread = std::min(4.0, std::sqrt(rest));
    p.rank_spread = degrees > 0 ? std::min(4.0, std::sqrt(within / degrees)) : 0;
    p.scale = std::clamp(std::exp(mean - slope * middle), 1e-30, 1e30);
    p.course_ranks = s.ranks;
    for (std::uint64_t i = 0; i < scales.size(); ++i) {
        const double ln = scales[i] > 0 ? std::log(scales[i] / p.scale) : 0;
        const std::uint64_t iteration = i / s.ranks;
        p.course.push_back(std::clamp(ln + p.decay * static_cast<double>(iteration), -40.0, 40.0));
    }
}

/// Flags of the rows and columns that are all zero, [iterations, ranks, lines], and of the zeros beside them, [..,
/// elements].
struct Silence {
    std::vector<char> rows, columns, elements, heard;   // heard: in no silent line
};

Silence silence_of(const LayerSamples& s) {
    const Grid& g = s.grid;
    const std::uint64_t samples = s.iterations * s.ranks, size = g.size();
    const bool lines = g.rows > 1 && g.columns > 1;
    Silence silence{std::vector<char>(samples * g.rows, lines), std::vector<char>(samples * g.columns, lines),
                    std::vector<char>(samples * size), std::vector<char>(samples * size)};
    const auto row = [&](std::uint64_t i) { return i / size * g.rows + i % size / g.cells / g.columns; };
    const auto column = [&](std::uint64_t i) { return i / size * g.columns + i % size / g.cells % g.columns; };
    for (std::uint64_t i = 0; i < s.values.size(); ++i)
        if (s.values[i] != 0) silence.rows[row(i)] = silence.columns[column(i)] = 0;
    for (std::uint64_t i = 0; i < s.values.size(); ++i) {
        silence.heard[i] = silence.rows[row(i)] == 0 && silence.columns[column(i)] == 0;
        silence.elements[i] = silence.heard[i] != 0 && s.values[i] == 0;
    }
    return silence;
}

/// Share of set flags among those that may be, and the correlation between ranks of what sets them.
void fit_silence(const LayerSamples& s, const std::vector<char>& flags, const std::vector<char>& may, double& share,
                 double& agreement) {
    const std::uint64_t width = flags.size() / (s.iterations * s.ranks);
    double set = 0, possible = 0, both = 0, pairs = 0;
    for (std::uint64_t t = 0; t < s.iterations; ++t)
        for (std::uint64_t i = 0; i < width; ++i) {
            double sets = 0, mays = 0;
            for (std::uint64_t r = 0; r < s.ranks; ++r) {
                const std::uint64_t at = (t * s.ranks + r) * width + i;
                sets += flags[at];
                mays += may.empty() ? 1 : may[at];
            }
            set += sets;
            possible += mays;
            both += sets * (sets - 1);
            pairs += mays * (mays - 1);
        }
    share = possible > 0 ? set / possible : 0;
    agreement = share > 0 && share < 1 && pairs > 0 ? threshold_correlation(share, both / pairs) : 0;
}

/// The samples over the scale of their iteration and rank.
LayerSamples normalised(const LayerSamples& s, const std::vector<double>& scales) {
    LayerSamples result = s;
    for (std::uint64_t i = 0; i < s.values.size(); ++i)
        if (const double scale = scales[i / s.grid.size()]; scale > 0)
            result.values[i] = static_cast<float>(static_cast<double>(s.values[i]) / scale);
    return result;
}

std::vector<double> quantiles(std::vector<double> values, auto shares) {
    std::ranges::sort(values);
    std::vector<double> result;
    for (const double share : shares) {
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        result.push_back(values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]));
    }
    return result;
}

/// log2 of the mean magnitude of each row (stride columns * cells) or column, at equally spaced quantiles.
std::vector<double> line_strengths(const LayerSamples& s, bool rows) {
    const Grid& g = s.grid;
    std::vector<double> sum(rows ? g.rows : g.columns), count(sum.size()), logarithms;
    for (std::uint64_t i = 0; i < s.values.size(); ++i) {
        const std::uint64_t place = i % g.size() / g.cells, line = rows ? place / g.columns : place % g.columns;
        sum[line] += std::fabs(static_cast<double>(s.values[i]));
        count[line] += s.values[i] != 0;
    }
    for (std::size_t i = 0; i < sum.size(); ++i)
        if (count[i] > 0) logarithms.push_back(std::clamp(std::log2(sum[i] / count[i]), -120.0, 60.0));
    std::vector<double> shares;
    for (std::size_t i = 0; i < strength_quantiles; ++i)
        shares.push_back(static_cast<double>(i) / (strength_quantiles - 1));
    return quantiles(logarithms, shares);
}

/// Strengths and correlations from products of magnitudes.
void fit_strengths(const LayerSamples& s, LayerParams& p) {
    const PairMoments m = pair_moments(s);
    p.rank_correlation = m.ranks.sum > 0 ? signal_correlation(m.signed_ranks.sum / m.ranks.sum) : 0;
    const double together = std::log(magnitude_product(p.rank_correlation));
    const double row = std::max(0.0, ln_ratio(m.row)), column = std::max(0.0, ln_ratio(m.column));
    const double row_shared = std::clamp(ln_ratio(m.row_ranks), 0.0, row),
                 column_shared = std::clamp(ln_ratio(m.column_ranks), 0.0, column);
    const double whole = m.square.mean() > 0 ? std::log(2 / std::numbers::pi * m.square.mean()) : 0;
    const double element = std::max(0.0, whole - row - column);
    const double element_shared = std::clamp(ln_ratio(m.ranks) - together - row_shared - column_shared, 0.0, element);
    const auto sigma = [](double variance) { return std::min(4.0, std::sqrt(variance)); };
    p.row_sigma = sigma(row_shared), p.row_spread = sigma(row - row_shared);
    p.column_sigma = sigma(column_shared), p.column_spread = sigma(column - column_shared);
    p.element_sigma = sigma(element_shared), p.element_spread = sigma(element - element_shared);
    if (s.grid.rows > 1 && s.grid.columns > 1) {
        p.row_strengths = line_strengths(s, true);
        p.column_strengths = line_strengths(s, false);
    }
    const double mean = m.all.mean(), now = m.ranks_anywhere.mean(), next = m.next.mean();
    const double shared = mean > 0 && now > 0 ? std::log(now / (mean * mean)) - together : 0,
                 kept = mean > 0 && next > 0 ? std::log(next / (mean * mean)) : 0;
    p.churn = shared > 0.01 && m.next.count > 0 ? std::clamp(1 - kept / shared, 0.0, 1.0) : 0;
}

/// The samples with the magnitudes that the model has before its curve.
LayerSamples before_curve(const LayerSamples& s, const LayerParams& p) {
    const MagnitudeCurve curve(p);
    LayerSamples result = s;
    double sum = 0, count = 0;
    for (float& value : result.values)
        if (value != 0) {
            const double u = curve.inverse(std::log2(std::fabs(static_cast<double>(value))));
            value = static_cast<float>(std::copysign(std::exp2(u), static_cast<double>(value)));
            sum += std::exp2(u);
            ++count;
        }
    for (float& value : result.values) value = static_cast<float>(static_cast<double>(value) * count / sum);
    return result;
}

}   // namespace

LayerParams fit_layer(const LayerSamples& samples) {
    LayerParams p;
    const std::vector<double> scales = scales_of(samples);
    const LayerSamples over = normalised(samples, scales);
    std::vector<double> logarithms;
    for (const float value : over.values)
        if (value != 0)
            logarithms.push_back(std::clamp(std::log2(std::fabs(static_cast<double>(value))), -120.0, 60.0));
    if (logarithms.empty()) {
        p.silent_elements = 1;
        return p;
    }
    fit_course(samples, scales, p);
    const Silence silence = silence_of(samples);
    fit_silence(samples, silence.rows, {}, p.silent_rows, p.row_agreement);
    fit_silence(samples, silence.columns, {}, p.silent_columns, p.column_agreement);
    fit_silence(samples, silence.elements, silence.heard, p.silent_elements, p.element_agreement);
    fit_strengths(over, p);
    p.magnitudes = quantiles(logarithms, magnitude_shares);
    fit_strengths(before_curve(over, p), p);   // once more, free of the shape that the curve adds
    return p;
}

}   // namespace oscar
