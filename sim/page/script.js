// Draws each chart for the width and the colours of the page, lets a click on a name of a legend hide what it names, and
// sorts tables by the heading that is clicked.
(function () {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const MARKS = { circle: "●", square: "■", "triangle-up": "▲", diamond: "◆", cross: "✚", "triangle-down": "▼" };
  const charts = [], pointed = document.createElement("div");
  pointed.id = "pointed";
  pointed.hidden = true;

  /// What the pointer is on, in a box beside it.
  function showTip(handler, event, item, tip) {
    pointed.hidden = !tip;
    if (!tip) return;
    pointed.replaceChildren(...Object.entries(tip).map(([name, text]) => Object.assign(document.createElement("div"), { textContent: name ? `${name}: ${text}` : text })));
    const box = pointed.getBoundingClientRect();
    pointed.style.left = Math.max(4, Math.min(event.clientX + 12, window.innerWidth - box.width - 4)) + "px";
    pointed.style.top = Math.max(4, Math.min(event.clientY + 12, window.innerHeight - box.height - 4)) + "px";
  }

  function draw(chart) {
    if (chart.view) chart.view.finalize();
    const described = chart.describe(), style = getComputedStyle(document.body), colour = (name) => style.getPropertyValue(name).trim();
    chart.width = chart.place.clientWidth;
    drawLegend(chart, described);
    const look = { width: chart.width, hidden: chart.hidden, text: colour("--text"), line: colour("--line"), back: colour("--back") };
    chart.view = new vega.View(vega.parse(chartKinds[described.kind](described, look)), { renderer: "svg", hover: true, logLevel: vega.Warn, tooltip: showTip });
    chart.view.initialize(chart.place).run();
  }

  /// Names with their colour and symbol; those above `at_first` are hidden until they are clicked.
  function drawLegend(chart, described) {
    const entries = described.parts || described.series || described.legend || [];
    if (!chart.hidden) chart.hidden = new Set(entries.map((entry) => entry.name).filter((name) => described.shown && !described.shown.includes(name)));
    if (described.scale_text) return chart.legend.replaceChildren(...scaleOf(described));
    chart.legend.replaceChildren(...(entries.length < 2 ? [] : entries.map((entry) => {
      const name = document.createElement("button"), mark = document.createElement("span");
      mark.textContent = (entry.dash ? { solid: "—", dashed: "- -", dotted: "···" }[entry.dash] : "") + (MARKS[entry.symbol] || "■");
      mark.style.color = entry.colour;
      name.type = "button";
      name.setAttribute("aria-pressed", String(!chart.hidden.has(entry.name)));
      name.append(mark, " " + entry.name);
      name.addEventListener("click", () => { if (!chart.hidden.delete(entry.name)) chart.hidden.add(entry.name); draw(chart); });
      return name;
    })));
  }

  /// The colours of a heat map from the least to the largest number.
  function scaleOf(described) {
    const colours = document.createElement("span");
    colours.className = "colours";
    return [described.scale_text[0] + " ", colours, " " + described.scale_text[1]];
  }

  // Adds a chart to a figure; returns what draws it again.
  function add(figure, describe) {
    const chart = { place: figure.querySelector(".chart"), legend: figure.querySelector(".legend"), describe };
    charts.push(chart);
    draw(chart);
    return () => { chart.hidden = undefined; draw(chart); };
  }

  const figures = [...document.querySelectorAll("figure")];
  if (window.vega) {
    document.body.append(pointed);
    figures.forEach((figure) => add(figure, () => JSON.parse(figure.querySelector("script").textContent)));
    document.querySelectorAll(".sweep").forEach((section) => sweepCharts(section, add));
    dark.addEventListener("change", () => charts.forEach(draw));
    const watched = new ResizeObserver(() => charts.filter((chart) => chart.place.clientWidth !== chart.width).forEach(draw));   // a scrollbar that comes, a window that changes
    charts.forEach(({ place }) => watched.observe(place));
    window.addEventListener("beforeprint", () => charts.forEach(draw));
  } else {
    figures.forEach((figure) => { figure.hidden = true; });
  }
  const keyOf = (row, column) => {
    const text = row.cells[column].textContent;
    const number = parseFloat(text);
    return Number.isNaN(number) ? text : number;
  };
  document.querySelectorAll("th").forEach((heading) => heading.addEventListener("click", () => {
    const body = heading.closest("table").tBodies[0], column = heading.cellIndex;
    const down = heading.dataset.order !== "up";
    heading.dataset.order = down ? "up" : "down";
    [...body.rows].sort((a, b) => {
      const x = keyOf(a, column), y = keyOf(b, column);
      const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return down ? order : -order;
    }).forEach((row) => body.append(row));
  }));
})();
