// Each kind of chart as a specification of Vega (https://vega.github.io/vega/docs): chartKinds[chart.kind](chart, look),
// where `look` has the width in pixels, the colours of the page and the names of what the reader has hidden.
const chartKinds = (function () {
  const DASHES = { solid: [], dashed: [6, 4], dotted: [2, 3] };
  const BLUES = ["#f7fbff", "#9ecae1", "#2171b5", "#08306b"];
  const PLOT = 300;     // height of a chart with two axes of numbers, pixels
  const LETTER = 6.4;   // width of a letter at most in the mean, pixels
  const GREY = "#7F7F7F";
  const EDGE = 16;      // room for half of the last number of an axis, pixels

  /// Three significant digits of a number; other values as they are.
  const threeDigits = (value) => (typeof value === "number" ? String(Number(value.toPrecision(3))) : String(value === null || value === undefined ? "none" : value));
  const widthOf = (words) => LETTER * Math.max(0, ...words.map((word) => String(word).length));
  const shown = (parts, look) => parts.filter((part) => !look.hidden.has(part.name));
  const value = (constant) => ({ value: constant });
  const at = (scale, field, more) => ({ scale, field, ...more });

  function specification(chart, look, height, parts) {
    return {
      width: look.width, height, padding: 2, autosize: { type: "fit-x", contains: "padding" }, description: chart.title,
      config: {
        axis: { labelColor: look.text, titleColor: look.text, gridColor: look.line, domainColor: look.line, tickColor: look.line,
          labelFontSize: 11, titleFontSize: 12, titleFontWeight: "normal", labelOverlap: true, labelLimit: 0 },
        text: { fontSize: 11, fill: look.text },
      },
      ...parts,
    };
  }

  const numberAxis = (orient, title, more) => ({ orient, scale: orient === "left" ? "y" : "x", title, grid: true, tickCount: orient === "left" ? 6 : 8, ...more });
  const nameAxis = (orient, title, more) => ({ orient, scale: orient === "left" ? "y" : "x", title, ticks: false, domain: false, ...more });
  const band = (name, domain, range, padding) => ({ name, type: "band", domain, range, padding });

  // Names that are wider than a third of the chart are cut, with the whole in their pointer's box.
  const rowNames = (look) => ({ labelLimit: Math.max(90, look.width / 3), labelOverlap: false });

  /// A bar for each row, stacked of parts; `ends` are texts behind the bars.
  function bars(chart, look) {
    const parts = shown(chart.parts, look), ends = chart.ends || [], beside = look.width > 600;
    const cells = parts.flatMap((part) => chart.rows.map((row, i) => ({ row, part: part.name, colour: part.colour, size: part.values[i],
      tip: { [row]: part.name, [chart.x]: threeDigits(part.values[i]) } })));
    const totals = chart.rows.map((row, i) => ({ row, sum: parts.reduce((sum, part) => sum + part.values[i], 0), text: ends[i] || "" }));
    const room = beside ? widthOf(ends) + 8 : EDGE, step = ends.length > 0 && !beside ? 40 : 24;
    const across = { y: at("y", "row"), height: value(16) };
    return specification(chart, look, step * chart.rows.length, {
      data: [{ name: "cells", values: cells, transform: [{ type: "stack", groupby: ["row"], field: "size" }] }, { name: "totals", values: totals }],
      scales: [{ name: "x", type: "linear", domain: { fields: [{ data: "totals", field: "sum" }, [0]] }, range: [0, { signal: `max(40, width - ${room})` }], zero: true },
        band("y", chart.rows, [0, { signal: "height" }], 0)],
      axes: [numberAxis("bottom", chart.x), nameAxis("left", undefined, { ...rowNames(look), offset: 2 })],
      marks: [
        { type: "rect", from: { data: "cells" }, encode: { update: { ...across, y: at("y", "row", { offset: 4 }), x: at("x", "y0"), x2: at("x", "y1"), fill: { field: "colour" }, tooltip: { field: "tip" } } } },
        { type: "text", from: { data: "totals" }, encode: { update: { text: { field: "text" }, baseline: value("middle"),
          y: at("y", "row", { offset: beside ? 12 : 28 }), x: beside ? at("x", "sum", { offset: 6 }) : value(2) } } }],
    });
  }

  const extent = (values) => [Math.min(...values), Math.max(...values)];

  /// The range of an axis of numbers: all values, or about the ends of the lines, where these differ.
  function rangeOf(axis, values, ends) {
    const [low, high] = extent(values);
    if (axis.log) return [low / 1.3, high * 1.3];
    if (axis.zoom && !axis.whole && ends.length > 1) {
      const [from, to] = extent(ends), room = Math.max(to - from, 1e-3 * Math.abs(to));
      return axis.zoom === "rising" ? [Math.max(low, from - 3 * room), Math.min(high, to + 0.5 * room) + 0.1 * room] : [Math.max(low, from - 0.5 * room) - 0.1 * room, Math.min(high, to + 3 * room)];
    }
    const room = 0.04 * (high - low || Math.abs(high) || 1);
    return [axis.zero ? Math.min(0, low) : low - room, high + room];
  }

  /// Heights of labels that stand `apart` pixels from each other, near those that they would like.
  function spread(labels, height, apart) {
    const sorted = [...labels].sort((a, b) => a.y - b.y);
    let before = -apart;
    sorted.forEach((label) => { label.place = before = Math.max(label.y, before + apart); });
    let behind = height + apart;
    sorted.reverse().forEach((label) => { label.place = behind = Math.min(label.place, behind - apart); });
    return labels;
  }

  /// Lines or points over two axes. A series has points [x, y], perhaps a band [x, low, high], and is named at its end.
  function lines(chart, look) {
    const series = shown(chart.series, look).filter((one) => one.points.length > 0), height = chart.height || PLOT;
    const named = chart.ends && series.length > 0 && PLOT / series.length >= 12;
    const room = named ? widthOf(series.map((one) => one.name)) + 22 : EDGE;
    const values = series.flatMap((one) => one.points.map(([, y]) => y)).concat(chart.rule ? [chart.rule.y] : []);
    const ends = series.map((one) => one.points[one.points.length - 1]);
    const y = rangeOf(chart.y, values, ends.map((end) => end[1]).concat(chart.rule ? [chart.rule.y] : []));
    const pixel = (value) => (chart.y.log ? (Math.log(y[1] / value) / Math.log(y[1] / y[0])) : ((y[1] - value) / (y[1] - y[0]))) * height;
    const labels = spread(series.map((one, i) => ({ name: one.name, colour: one.colour, x: ends[i][0], y: Math.min(height, Math.max(0, pixel(ends[i][1]))) })), height, 13);
    const points = series.flatMap((one) => one.points.map(([x, y]) => ({ series: one.name, colour: one.colour, x, y,
      tip: { "": one.name, [chart.x.title]: threeDigits(x), [chart.y.title]: threeDigits(y) } })));
    const bands = series.flatMap((one) => (one.band || []).map(([x, low, high]) => ({ series: one.name, colour: one.colour, x, low, high })));
    const looks = Object.fromEntries(series.map((one) => [one.name, one]));
    const few = series.every((one) => one.points.length < 30);
    const grouped = (name, data) => ({ facet: { name, data, groupby: "series" } });
    const place = { x: at("x", "x"), y: at("y", "y") };
    const xScale = chart.x.values ? { name: "x", type: "point", domain: chart.x.values, padding: 0.2 } : { name: "x", type: "linear", domain: extent(points.map((point) => point.x).concat(points.length ? [] : [0, 1])) };
    return specification(chart, look, height, {
      data: [{ name: "points", values: points }, { name: "bands", values: bands }, { name: "labels", values: labels }],
      scales: [{ ...xScale, range: [0, { signal: `width - ${room}` }] }, { name: "y", type: chart.y.log ? "log" : "linear", domain: y, range: [height, 0], zero: false }],
      axes: [numberAxis("bottom", chart.x.title, { grid: false }), numberAxis("left", chart.y.title)],
      marks: [
        { type: "group", clip: Boolean(chart.y.zoom), encode: { update: { width: { signal: `width - ${room} + 3` }, height: { signal: "height" } } }, marks: [
          { type: "group", from: grouped("edges", "bands"), marks: [{ type: "area", from: { data: "edges" },
            encode: { update: { x: at("x", "x"), y: at("y", "low"), y2: at("y", "high"), fill: { field: "colour" }, fillOpacity: value(0.12) } } }] },
          ...(chart.rule ? [{ type: "rule", encode: { update: { x: value(0), x2: { signal: "width" }, y: { scale: "y", value: chart.rule.y }, stroke: value(GREY), strokeDash: value(DASHES.dashed) } } }] : []),
          { type: "group", from: grouped("line", "points"), marks: [{ type: "line", from: { data: "line" }, encode: { update: { ...place, stroke: { field: "colour" },
            strokeWidth: value(1.8), strokeDash: { signal: "dashes[datum.series]" } } } }] },
          { type: "symbol", from: { data: "points" }, encode: { update: { ...place, size: value(few ? 36 : 22), fill: { field: "colour" }, shape: { signal: "symbols[datum.series]" },
            fillOpacity: value(few ? 1 : 0), tooltip: { field: "tip" } }, hover: { fillOpacity: value(1) } } }] },
        ...(chart.rule ? [{ type: "text", encode: { update: { x: value(4), y: { scale: "y", value: chart.rule.y, offset: -4 }, text: value(chart.rule.text), fill: value(look.text) } } }] : []),
        ...(named ? [
          { type: "rule", from: { data: "labels" }, encode: { update: { x: at("x", "x", { offset: 3 }), y: { field: "y" }, x2: { signal: `width - ${room} + 16` }, y2: { field: "place" },
            stroke: { field: "colour" }, strokeOpacity: value(0.5) } } },
          { type: "text", from: { data: "labels" }, encode: { update: { x: { signal: `width - ${room} + 19` }, y: { field: "place" }, baseline: value("middle"), text: { field: "name" } } } }] : [])],
      signals: [{ name: "dashes", value: Object.fromEntries(series.map((one) => [one.name, DASHES[one.dash]])) },
        { name: "symbols", value: Object.fromEntries(series.map((one) => [one.name, one.symbol])) }],
    });
  }

  /// Points [x, y, text for the pointer] of each series; those of `labels` have the series' name beside them where there is room.
  function points(chart, look) {
    const series = shown(chart.series, look), all = series.flatMap((one) => one.points.map(([x, y, tip]) => ({ x, y, name: one.name, colour: one.colour, symbol: one.symbol,
      tip: { "": tip || one.name, [chart.x.title]: threeDigits(x), [chart.y.title]: threeDigits(y) } })));
    const front = (chart.front || []).map(([x, y]) => ({ x, y }));
    const scale = (name, axis, range) => ({ name, type: axis.log ? "log" : "linear", domain: all.length > 0 ? rangeOf(axis, all.map((point) => point[name]), []) : [0, 1], range, zero: false });
    const logs = (axis, name) => (axis.log ? { tickCount: 5, format: all.some((point) => point[name] < 1e-3) ? "~e" : "~g" } : {});
    const place = { x: at("x", "x"), y: at("y", "y") };
    return specification(chart, look, PLOT, {
      data: [{ name: "points", values: all }, { name: "front", values: front }],
      scales: [scale("x", chart.x, [0, { signal: `width - ${EDGE}` }]), scale("y", chart.y, [PLOT, 0])],
      axes: [numberAxis("bottom", chart.x.title, logs(chart.x, "x")), numberAxis("left", chart.y.title, logs(chart.y, "y"))],
      marks: [
        { type: "line", from: { data: "front" }, encode: { update: { ...place, stroke: value(GREY), strokeDash: value(DASHES.dashed) } } },
        { name: "dots", type: "symbol", from: { data: "points" }, encode: { update: { ...place, size: value(chart.labels ? 90 : 50), fill: { field: "colour" }, shape: { field: "symbol" },
          fillOpacity: value(chart.labels ? 1 : 0.6), tooltip: { field: "tip" } } } },
        ...(chart.labels ? [{ type: "text", from: { data: "dots" }, encode: { enter: { text: { field: "datum.name" } } },
          transform: [{ type: "label", size: { signal: `[width, ${PLOT}]` }, anchor: ["right", "left", "top", "bottom"], offset: [4] }] }] : [])],
    });
  }

  /// Coloured cells [column, row, number] of a table of names.
  function heat(chart, look) {
    const numbers = chart.cells.map((cell) => cell[2]), domain = chart.range || extent(numbers), unit = chart.unit || "";
    const step = chart.step || 22, upright = chart.upright === true;
    const cells = chart.cells.map(([column, row, number, error]) => ({ column, row, number, text: [threeDigits(number)].concat(typeof error === "number" ? [`(${threeDigits(error)})`] : []),
      tip: { [chart.y && chart.y.title || "row"]: chart.rows[row], [chart.x.title || "column"]: chart.columns[column], [chart.title]: threeDigits(number) + unit, ...(typeof error === "number" ? { "relative L2 error": threeDigits(error) } : {}) } }));
    const names = (list) => ({ labels: { update: { text: { signal: `${JSON.stringify(list.map(String))}[datum.value]` } } } });
    const turned = upright ? { labelAngle: -90, labelAlign: "right", labelBaseline: "middle" } : {};
    const cell = { x: at("x", "column"), width: { scale: "x", band: 1 }, y: at("y", "row"), height: { scale: "y", band: 1 } };
    const fits = chart.numbers && (look.width - 140) / chart.columns.length > 48;
    return specification(chart, look, step * chart.rows.length, {
      data: [{ name: "cells", values: cells }],
      scales: [band("x", chart.columns.map((_, i) => i), "width", 0), band("y", chart.rows.map((_, i) => i), "height", 0),
        { name: "colour", type: "linear", domain: [0, 1 / 3, 2 / 3, 1].map((share) => domain[0] + share * (domain[1] - domain[0])), range: BLUES, zero: false }],
      axes: [nameAxis("bottom", chart.x.title, { encode: names(chart.columns), ...turned, labelSeparation: 8 }),
        nameAxis("left", chart.y && chart.y.title, { encode: names(chart.rows), labelFontSize: step < 20 ? 10 : 11, ...rowNames(look) })],
      marks: [{ type: "rect", from: { data: "cells" }, encode: { update: { ...cell, fill: at("colour", "number"), stroke: value(look.back), strokeWidth: value(step < 20 ? 0.3 : 1), tooltip: { field: "tip" } } } },
        ...(fits ? [{ type: "text", from: { data: "cells" }, interactive: false, encode: { update: { x: at("x", "column", { band: 0.5 }), y: at("y", "row", { band: 0.5 }), align: value("center"), baseline: value("middle"), dy: { signal: "length(datum.text) > 1 ? -6 : 0" },
          text: { field: "text" }, fill: [{ test: `datum.number > ${(domain[0] + domain[1]) / 2}`, value: "#ffffff" }, { value: "#1b1b1b" }] } } }] : [])],
    });
  }

  /// Least, quartiles and largest of each row.
  function boxes(chart, look) {
    const rows = chart.rows.map((row, i) => { const [a, b, c, d, e] = chart.boxes[i].values; return { row, a, b, c, d, e, colour: chart.boxes[i].colour,
      tip: { "": row, least: threeDigits(a), "first quartile": threeDigits(b), median: threeDigits(c), "third quartile": threeDigits(d), largest: threeDigits(e) } }; });
    const middle = { y: at("y", "row", { band: 0.5 }) }, tooltip = { field: "tip" };
    return specification(chart, look, 24 * chart.rows.length, {
      data: [{ name: "rows", values: rows }],
      scales: [{ name: "x", type: "linear", domain: rangeOf({}, rows.flatMap((row) => [row.a, row.e]), []), range: [0, { signal: `width - ${EDGE}` }], zero: false }, band("y", chart.rows, "height", 0)],
      axes: [numberAxis("bottom", chart.x), nameAxis("left", undefined, rowNames(look))],
      marks: [
        { type: "rule", from: { data: "rows" }, encode: { update: { ...middle, x: at("x", "a"), x2: at("x", "e"), stroke: { field: "colour" }, tooltip } } },
        { type: "rect", from: { data: "rows" }, encode: { update: { yc: middle.y, height: value(14), x: at("x", "b"), x2: at("x", "d"), fill: value(look.back), stroke: { field: "colour" }, strokeWidth: value(1.5), tooltip } } },
        { type: "rect", from: { data: "rows" }, encode: { update: { yc: middle.y, height: value(14), xc: at("x", "c"), width: value(2.5), fill: { field: "colour" } } } }],
    });
  }

  /// Spans of time in lanes, such as passes and buckets; `ends` are lines at the end of groups of lanes, with a text.
  function timeline(chart, look) {
    const room = widthOf(chart.ends.map((end) => end.text)) + 10, inner = Math.max(80, look.width - widthOf(chart.lanes) - room - 20);
    const most = Math.max(...chart.ends.map((end) => end.at));
    const spans = chart.spans.map((span) => ({ ...span, label: LETTER * span.short.length + 6 < (span.to - span.from) / most * inner ? span.short : "",
      tip: { "": span.name, from: threeDigits(span.from), to: threeDigits(span.to), [chart.x]: threeDigits(span.to - span.from) } }));
    const lane = { y: at("y", "lane", { offset: 3 }), height: value(18) };
    return specification(chart, look, 24 * chart.lanes.length, {
      data: [{ name: "spans", values: spans }, { name: "ends", values: chart.ends }],
      scales: [{ name: "x", type: "linear", domain: [0, most], range: [0, { signal: `width - ${room}` }] }, band("y", chart.lanes, "height", 0)],
      axes: [numberAxis("bottom", chart.x), nameAxis("left", undefined, rowNames(look))],
      marks: [
        { type: "rect", from: { data: "spans" }, encode: { update: { ...lane, x: at("x", "from"), x2: at("x", "to"), fill: { field: "colour" }, stroke: value(look.back), tooltip: { field: "tip" } } } },
        { type: "text", from: { data: "spans" }, interactive: false, encode: { update: { x: { signal: "(scale('x', datum.from) + scale('x', datum.to)) / 2" }, y: at("y", "lane", { offset: 12 }),
          align: value("center"), baseline: value("middle"), text: { field: "label" }, fill: { field: "ink" } } } },
        { type: "text", from: { data: "ends" }, encode: { update: { x: at("x", "at", { offset: 6 }), y: at("y", "lane", { offset: 12 }), baseline: value("middle"), text: { field: "text" } } } }],
    });
  }

  /// Nodes at places from 0 to 1 across and in rows, and cables as wide as they are busy.
  function machine(chart, look) {
    const rows = Math.max(1, ...chart.nodes.map((node) => node.row)), place = { x: at("x", "x"), y: at("y", "row") };
    return specification(chart, look, 90 * rows + 40, {
      data: [{ name: "nodes", values: chart.nodes.map((node) => ({ ...node, tip: { "": node.name } })) },
        { name: "cables", values: chart.cables.map((cable) => ({ ...cable, tip: { "": cable.name, busy: threeDigits(100 * cable.busy) + " %" } })) }],
      scales: [{ name: "x", type: "linear", domain: [0, 1], range: "width" }, { name: "y", type: "linear", domain: [0, rows], range: [{ signal: "height - 22" }, 22] }],
      marks: [
        { type: "rule", from: { data: "cables" }, encode: { update: { x: at("x", "x"), y: at("y", "row"), x2: at("x", "x2"), y2: at("y", "row2"), stroke: value(GREY),
          strokeWidth: { signal: "1 + 5 * datum.busy" }, strokeOpacity: { signal: "0.3 + 0.6 * datum.busy" }, tooltip: { field: "tip" } } } },
        { type: "symbol", from: { data: "nodes" }, encode: { update: { ...place, shape: { field: "symbol" }, size: { signal: "datum.labelled ? 180 : 50" }, fill: { field: "colour" }, tooltip: { field: "tip" } } } },
        { type: "text", from: { data: "nodes" }, encode: { update: { ...place, text: { signal: "datum.labelled ? datum.name : ''" }, fontSize: value(10), align: value("center"), baseline: value("middle"),
          dy: { signal: "datum.row > 0 ? -15 : 15" } } } }],
    });
  }

  /// A line for each of many points over parallel axes; an axis has `values`, or a range of numbers. Narrow pages have the axes below each other.
  function parallel(chart, look) {
    const narrow = look.width < 700, across = chart.axes.length, span = narrow ? 64 * (across - 1) : 300;
    const ranges = chart.axes.map((axis, i) => (axis.values ? [0, Math.max(1, axis.values.length - 1)] : extent(chart.lines.map((line) => line.at[i]))));
    const along = (i, number) => (ranges[i][1] === ranges[i][0] ? 0.5 : (number - ranges[i][0]) / (ranges[i][1] - ranges[i][0]));
    const ticksOf = (axis, i) => {
      const texts = axis.values || [0, 0.25, 0.5, 0.75, 1].map((share) => threeDigits(ranges[i][0] + share * (ranges[i][1] - ranges[i][0])));
      const most = narrow ? Math.floor(look.width / (2 * widthOf(texts) + 12)) : 8, every = Math.max(1, Math.ceil(texts.length / Math.max(2, most)));
      return texts.map((text, k) => ({ dim: i, share: texts.length > 1 ? k / (texts.length - 1) : 0.5, text })).filter((_, k) => k % every === 0);
    };
    const axes = chart.axes.map((axis, i) => ({ dim: i, title: axis.title }));
    const lines = chart.lines.filter((line) => !look.hidden.has(line.name)).flatMap((line, number) => line.at.map((one, i) => ({ number, dim: i, share: along(i, one), colour: line.colour, tip: { "": line.tip } })));
    const spots = narrow ? { x: at("share", "share"), y: at("dim", "dim") } : { x: at("dim", "dim"), y: at("share", "share") };
    const aside = narrow ? 12 : 70, halo = { stroke: value(look.back), strokeWidth: value(3), fill: value(look.text) };   // style.css paints it below the letters
    return specification(chart, look, span + (narrow ? 40 : 50), {
      data: [{ name: "lines", values: lines }, { name: "axes", values: axes }, { name: "ticks", values: chart.axes.flatMap(ticksOf) }],
      scales: [{ name: "dim", type: "point", domain: axes.map((axis) => axis.dim), range: narrow ? [20, span + 20] : [aside, { signal: `width - ${aside}` }] },
        { name: "share", type: "linear", domain: [0, 1], range: narrow ? [aside, { signal: `width - ${aside}` }] : [span + 40, 40] }],
      marks: [
        { type: "group", from: { facet: { name: "line", data: "lines", groupby: "number" } }, marks: [{ type: "line", from: { data: "line" },
          encode: { update: { ...spots, stroke: { field: "colour" }, strokeOpacity: value(0.45), strokeWidth: value(1.2), tooltip: { field: "tip" } } } }] },
        { type: "rule", from: { data: "axes" }, encode: { update: narrow
          ? { x: { scale: "share", value: 0 }, x2: { scale: "share", value: 1 }, y: at("dim", "dim"), stroke: value(look.text) }
          : { x: at("dim", "dim"), y: { scale: "share", value: 0 }, y2: { scale: "share", value: 1 }, stroke: value(look.text) } } },
        { type: "text", from: { data: "axes" }, encode: { update: narrow
          ? { x: { scale: "share", value: 0 }, y: at("dim", "dim", { offset: -6 }), text: { field: "title" }, ...halo }
          : { x: at("dim", "dim"), y: value(24), align: value("center"), text: { field: "title" } } } },
        { type: "text", from: { data: "ticks" }, interactive: false, encode: { update: { ...spots, text: { field: "text" }, fontSize: value(10), ...halo,
          ...(narrow ? { align: value("center"), y: at("dim", "dim", { offset: 12 }) } : { dx: value(5), baseline: value("middle") }) } } }],
    });
  }

  return { threeDigits, bars, lines, points, heat, boxes, timeline, machine, parallel };
})();
