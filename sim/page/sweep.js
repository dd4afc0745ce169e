// Charts of a sweep: any figure over any two swept keys, the Pareto front of any two figures, all points side by side.
function sweepCharts(section, add) {
  const data = JSON.parse(section.querySelector("script").textContent);
  const at = Object.fromEntries(data.columns.map((name, place) => [name, place]));
  const figures = data.columns.filter((name) => !["point", "method", ...data.keys].includes(name) &&
    data.rows.some((row) => typeof row[at[name]] === "number"));
  const large = (name) => data.largest_is_best.includes(name);
  const text = (value) => String(value === null ? "none" : value);
  const lookOf = (method) => data.looks[data.methods.indexOf(method)];
  const valuesOf = (key) => [...new Set(data.rows.map((row) => text(row[at[key]])))];
  const titleOf = (name) => data.titles[name] || name;
  const named = Object.fromEntries(figures.map((name) => [titleOf(name), name]));
  const namedKeys = Object.fromEntries(data.keys.map((key) => [titleOf(key), key]));

  // A figure with choices above it; describe(choices) is the chart, drawn anew when one changes.
  function figure(caption, choices, describe) {
    const box = document.createElement("figure"), controls = document.createElement("p"), chosen = {};
    controls.className = "controls";
    for (const [name, names, first] of choices) {
      const label = document.createElement("label"), select = document.createElement("select");
      names.forEach((entry) => select.add(new Option(entry, entry, false, entry === first)));
      chosen[name] = first;
      label.append(name + " ", select);
      if (names.length > 1) controls.append(label);
      select.addEventListener("change", () => { chosen[name] = select.value; redraw(); });
    }
    const part = (tag, properties) => Object.assign(document.createElement(tag), properties);
    const title = part("h4", {});
    box.append(controls, title, part("div", { className: "legend" }), part("div", { className: "chart" }), part("figcaption", { textContent: caption }));
    section.append(box);
    const redraw = add(box, () => { const chart = describe(chosen); title.textContent = chart.title; return chart; });
  }

  // The row with the best figure among points that share a cell: those that differ in other keys.
  function best(rows, name) {
    const with_figure = rows.filter((row) => typeof row[at[name]] === "number");
    return with_figure.reduce((found, row) => (found && (large(name) ? found[at[name]] >= row[at[name]] : found[at[name]] <= row[at[name]]) ? found : row), null);
  }

  function overOneKey({ figure: shown, along: key }) {
    const name = named[shown], along = namedKeys[key], columns = valuesOf(along);
    return {
      kind: "lines", title: `${shown} along ${key}`, ends: true, x: { title: key, values: columns }, y: { title: shown },
      series: data.methods.map((method) => ({
        name: method, ...lookOf(method),
        points: columns.map((value) => [value, best(data.rows.filter((row) => text(row[at[along]]) === value && row[at.method] === method), name)])
          .filter(([, row]) => row !== null).map(([value, row]) => [value, row[at[name]]]),
      })),
    };
  }

  function overTwoKeys({ figure: shown, method, across: acrossKey, down: downKey }) {
    const name = named[shown], across = namedKeys[acrossKey], down = namedKeys[downKey], columns = valuesOf(across), lines = valuesOf(down), cells = [];
    columns.forEach((x, i) => lines.forEach((y, j) => {
      const row = best(data.rows.filter((row) => row[at.method] === method && text(row[at[across]]) === x && text(row[at[down]]) === y), name);
      if (row !== null) cells.push([i, j, row[at[name]], name === error ? null : row[at[error]]]);
    }));
    const values = cells.map((cell) => cell[2]), short = chartKinds.threeDigits;
    return {
      kind: "heat", title: `${shown} of ${method}`, numbers: true, columns, rows: lines, cells, step: 34, x: { title: acrossKey }, y: { title: downKey },
      scale_text: values.length > 0 ? [short(Math.min(...values)), short(Math.max(...values))] : ["", ""],
    };
  }

  // Points than which none is better in one figure and as good in the other.
  function front(points, a, b) {
    const better = (name, x, y) => (large(name) ? x > y : x < y);
    const sorted = [...points].sort((p, q) => (p[0] === q[0] ? (better(b, p[1], q[1]) ? -1 : 1) : better(a, p[0], q[0]) ? -1 : 1));
    return sorted.filter((point, i) => i === 0 || sorted.slice(0, i).every((before) => better(b, point[1], before[1])));
  }

  function pareto({ "figure across": across, "figure up": up }) {
    const a = named[across], b = named[up], has = (row) => typeof row[at[a]] === "number" && typeof row[at[b]] === "number";
    const of = (method) => data.rows.filter((row) => (method === null || row[at.method] === method) && has(row)).map((row) => [row[at[a]], row[at[b]], tipOf(row)]);
    return {
      kind: "points", title: `Pareto front: ${large(a) ? "more" : "less"} of ${across}, ${large(b) ? "more" : "less"} of ${up}`,
      x: { title: across, log: spansDecades(a) }, y: { title: up, log: spansDecades(b) },
      series: data.methods.map((method) => ({ name: method, ...lookOf(method), points: of(method) })), front: front(of(null), a, b),
    };
  }

  // True where values above 0 cover more than two decades.
  function spansDecades(name) {
    const values = data.rows.map((row) => row[at[name]]).filter((value) => typeof value === "number");
    return Math.min(...values) > 0 && Math.max(...values) > 100 * Math.min(...values);
  }

  const tipOf = (row) => `point ${row[at.point]}, ${row[at.method]}: ` + keys.map((key) => `${titleOf(key)} ${text(row[at[key]])}`).join(", ");

  // Settings stand at the places of their values, in the order in which they were swept.
  function parallel({ figure: shown }) {
    const name = named[shown], places = Object.fromEntries(keys.map((key) => [key, valuesOf(key)]));
    return {
      kind: "parallel", title: "All points", legend: data.methods.map((method) => ({ name: method, ...lookOf(method) })),
      axes: [...keys.map((key) => ({ title: titleOf(key), values: places[key] })), { title: shown }],
      lines: data.rows.filter((row) => typeof row[at[name]] === "number").map((row) => ({ name: row[at.method], colour: lookOf(row[at.method]).colour, tip: tipOf(row),
        at: [...keys.map((key) => places[key].indexOf(text(row[at[key]]))), row[at[name]]] })),
    };
  }

  const time = figures.includes("allreduce_us") ? "allreduce_us" : figures[0];
  const gain = figures.find((name) => name.startsWith("speedup.")) || time;
  const error = figures.includes("relative_l2_error") ? "relative_l2_error" : figures.find((name) => name !== time) || time;
  const varied = data.keys.filter((key) => valuesOf(key).length > 1);
  const keys = varied.length > 0 ? varied : data.keys, titles = Object.keys(named), keyTitles = keys.map(titleOf);
  if (keys.length > 1)
    figure("The best of the points that differ in other keys only; in brackets its relative L2 error, without which no speed-up says much.",
      [["figure", titles, titleOf(gain)], ["method", data.methods, data.methods[data.methods.length - 1]], ["across", keyTitles, keyTitles[keys.length - 1]], ["down", keyTitles, keyTitles[0]]], overTwoKeys);
  figure("The best of the points that differ in other keys only.", [["figure", titles, titleOf(time)], ["along", keyTitles, keyTitles[keys.length - 1]]], overOneKey);
  figure("Each point and method; the dashed line joins those that no other beats in both.",
    [["figure across", titles, titleOf(time)], ["figure up", titles, titleOf(error)]], pareto);
  figure("A line for each point and method.", [["figure", titles, titleOf(time)]], parallel);
}
