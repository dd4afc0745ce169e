// Charts of a sweep: any figure over any two swept keys, the Pareto front of any two figures, all points side by side.
function sweepCharts(section, add) {
  const data = JSON.parse(section.querySelector("script").textContent);
  const at = Object.fromEntries(data.columns.map((name, place) => [name, place]));
  const figures = data.columns.filter((name) => !["point", "method", ...data.keys].includes(name) &&
    data.rows.some((row) => typeof row[at[name]] === "number"));
  const large = (name) => data.largest_is_best.includes(name);
  const short = (value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value);
  const text = (value) => String(value === null ? "none" : value);
  const look = (method) => data.looks[data.methods.indexOf(method)];
  const colour = (method) => look(method).colour;
  const valuesOf = (key) => [...new Set(data.rows.map((row) => text(row[at[key]])))];
  const title = (words) => ({ text: words, left: 0, textStyle: { fontSize: 14, lineHeight: 17, fontWeight: "normal", overflow: "break", width: section.clientWidth - 20 } });
  const common = { animation: false, backgroundColor: "transparent", aria: { enabled: true } };
  const legend = { type: "scroll", top: 52, left: 0, pageFormatter: " " };
  const axis = (name, gap) => ({ type: "value", name, nameLocation: "middle", nameGap: gap, scale: true, axisLabel: { hideOverlap: true, formatter: short } });

  // A figure with choices above it; option(choices) is drawn anew when one changes.
  function figure(caption, height, choices, option) {
    const box = document.createElement("figure"), controls = document.createElement("p"), place = document.createElement("div");
    const words = document.createElement("figcaption"), chosen = {};
    controls.className = "controls";
    for (const [name, names, first] of choices) {
      const label = document.createElement("label"), select = document.createElement("select");
      names.forEach((entry) => select.add(new Option(entry, entry, false, entry === first)));
      chosen[name] = first;
      label.append(name + " ", select);
      if (names.length > 1) controls.append(label);
      select.addEventListener("change", () => { chosen[name] = select.value; redraw(); });
    }
    place.className = "chart";
    place.style.height = height + "px";
    words.textContent = caption;
    box.append(controls, place, words);
    section.append(box);
    const redraw = add(place, () => ({ ...common, ...option(chosen) }));
  }

  // The best of the points that share a cell: those that differ in other keys.
  function best(rows, name) {
    const values = rows.map((row) => row[at[name]]).filter((value) => typeof value === "number");
    if (values.length === 0) return null;
    return large(name) ? Math.max(...values) : Math.min(...values);
  }

  function overOneKey({ figure: name, along }) {
    const columns = valuesOf(along);
    return {
      title: title(`${name} along ${along}`), legend, tooltip: { trigger: "axis", confine: true },
      grid: { left: 24, right: 24, top: 88, bottom: 44, containLabel: true },
      xAxis: { type: "category", data: columns, name: along, nameLocation: "middle", nameGap: 28, axisLabel: { hideOverlap: true } },
      yAxis: axis("", 0),
      series: data.methods.map((method) => ({
        name: method, type: "line", symbol: look(method).symbol, lineStyle: { type: look(method).dash }, itemStyle: { color: colour(method) },
        data: columns.map((value) => best(data.rows.filter((row) => text(row[at[along]]) === value && row[at.method] === method), name)),
      })),
    };
  }

  function overTwoKeys({ figure: name, method, across, down }) {
    const columns = valuesOf(across), lines = valuesOf(down), cells = [];
    columns.forEach((x, i) => lines.forEach((y, j) => {
      const value = best(data.rows.filter((row) => row[at.method] === method && text(row[at[across]]) === x && text(row[at[down]]) === y), name);
      if (value !== null) cells.push([i, j, value]);
    }));
    const values = cells.map((cell) => cell[2]);
    return {
      title: title(`${name} of ${method}`), tooltip: { confine: true, formatter: ({ data: cell }) => `${across} ${columns[cell[0]]}<br>${down} ${lines[cell[1]]}<br>${name} ${short(cell[2])}` },
      grid: { left: 24, right: 24, top: 60, bottom: 84, containLabel: true },
      xAxis: { type: "category", data: columns, name: across, nameLocation: "middle", nameGap: 28, axisLabel: { hideOverlap: true } },
      yAxis: { type: "category", data: lines, axisLabel: { width: 110, overflow: "truncate" } },
      visualMap: { min: Math.min(...values), max: Math.max(...values) || 1, calculable: true, orient: "horizontal", left: "center", bottom: 0, itemHeight: 120,
        formatter: (value) => short(value), inRange: { color: ["#f7fbff", "#9ecae1", "#2171b5", "#08306b"] } },
      series: [{ name, type: "heatmap", data: cells, label: { show: columns.length * 56 < section.clientWidth - 140, formatter: ({ data: cell }) => short(cell[2]) } }],
    };
  }

  // Points than which none is better in one figure and as good in the other.
  function front(points, a, b) {
    const better = (name, x, y) => (large(name) ? x > y : x < y);
    const sorted = [...points].sort((p, q) => (p[0] === q[0] ? (better(b, p[1], q[1]) ? -1 : 1) : better(a, p[0], q[0]) ? -1 : 1));
    return sorted.filter((point, i) => i === 0 || sorted.slice(0, i).every((before) => better(b, point[1], before[1])));
  }

  function pareto({ "figure across": a, "figure up": b }) {
    const of = (method) => data.rows.filter((row) => (method === null || row[at.method] === method) && typeof row[at[a]] === "number" && typeof row[at[b]] === "number")
      .map((row) => [row[at[a]], row[at[b]], row[at.point], row[at.method]]);
    return {
      title: title(`Pareto front: ${large(a) ? "more" : "less"} ${a}, ${large(b) ? "more" : "less"} ${b}`), legend,
      tooltip: { confine: true, formatter: ({ data: point }) => `point ${point[2]}, ${point[3]}<br>${a} ${short(point[0])}<br>${b} ${short(point[1])}` },
      grid: { left: 40, right: 24, top: 88, bottom: 44, containLabel: true },
      xAxis: axis(a, 28), yAxis: axis("", 0),
      series: [...data.methods.map((method) => ({ name: method, type: "scatter", symbol: look(method).symbol, symbolSize: 8, itemStyle: { color: colour(method) }, data: of(method) })),
        { name: "front", type: "line", step: false, symbol: "none", lineStyle: { type: "dashed" }, itemStyle: { color: "#7F7F7F" }, data: front(of(null), a, b) }],
    };
  }

  // Settings stand at the places of their values, in the order in which they were swept.
  function parallel({ figure: name }) {
    const narrow = section.clientWidth < 700, dimensions = [...keys, name];
    const places = Object.fromEntries(keys.map((key) => [key, valuesOf(key)]));
    const placeOf = (row, key) => (key === name ? row[at[name]] : places[key].indexOf(text(row[at[key]])));
    const scale = (key) => (key === name ? { scale: true } : { min: 0, max: Math.max(1, places[key].length - 1), interval: Math.max(1, Math.ceil(places[key].length / (narrow ? 4 : 8))) });
    return {
      title: title("All points"), legend: { ...legend, top: 34 },
      parallel: { layout: narrow ? "vertical" : "horizontal", left: narrow ? 104 : 70, right: narrow ? 30 : 90, top: narrow ? 84 : 110, bottom: 40 },
      parallelAxis: dimensions.map((key, dim) => ({ dim, type: "value", ...scale(key), name: key, nameLocation: narrow ? "start" : "end", nameGap: narrow ? 10 : 15,
        nameTextStyle: { fontSize: 11, align: narrow ? "right" : "center" }, nameTruncate: { maxWidth: narrow ? 90 : 140 },
        axisLabel: { fontSize: 10, textBorderColor: getComputedStyle(document.body).backgroundColor, textBorderWidth: 4, formatter: (value) => (key === name ? short(value) : places[key][value] ?? "") } })),
      series: data.methods.map((method) => ({ name: method, type: "parallel", lineStyle: { color: colour(method), width: 1, opacity: 0.5 }, itemStyle: { color: colour(method) },
        data: data.rows.filter((row) => row[at.method] === method && typeof row[at[name]] === "number").map((row) => dimensions.map((key) => placeOf(row, key))) })),
    };
  }

  const time = figures.includes("allreduce_us") ? "allreduce_us" : figures[0];
  const gain = figures.find((name) => name.startsWith("speedup.")) || time;
  const error = figures.includes("relative_l2_error") ? "relative_l2_error" : figures.find((name) => name !== time) || time;
  const varied = data.keys.filter((key) => valuesOf(key).length > 1);
  const keys = varied.length > 0 ? varied : data.keys;
  if (keys.length > 1)
    figure("The best of the points that differ in other keys only.", 420,
      [["figure", figures, gain], ["method", data.methods, data.methods[data.methods.length - 1]], ["across", keys, keys[keys.length - 1]], ["down", keys, keys[0]]], overTwoKeys);
  figure("The best of the points that differ in other keys only.", 380, [["figure", figures, time], ["along", keys, keys[keys.length - 1]]], overOneKey);
  figure("Each point and method; the dashed line joins those that no other beats in both.", 400,
    [["figure across", figures, time], ["figure up", figures, error]], pareto);
  figure("A line for each point and method.", 460, [["figure", figures, time]], parallel);
}
