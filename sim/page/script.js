// Draws each chart anew for the colours of the page, and sorts tables by the heading that is clicked.
(function () {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const charts = [];
  function draw({ place, option }) {
    const before = echarts.getInstanceByDom(place);
    if (before) before.dispose();
    echarts.init(place, dark.matches ? "dark" : null, { renderer: "svg" }).setOption(option());
  }
  // Adds a chart; returns what draws it again.
  function add(place, option) {
    const chart = { place, option };
    charts.push(chart);
    draw(chart);
    return () => draw(chart);
  }
  const shown = [...document.querySelectorAll(".chart")];
  if (window.echarts) {
    shown.forEach((place) => add(place, () => JSON.parse(place.nextElementSibling.textContent)));
    document.querySelectorAll(".sweep").forEach((section) => sweepCharts(section, add));
    const resize = () => charts.forEach(({ place }) => echarts.getInstanceByDom(place).resize());
    dark.addEventListener("change", () => charts.forEach(draw));
    const watched = new ResizeObserver(resize);   // a scrollbar that comes, a window that changes
    charts.forEach(({ place }) => watched.observe(place));
    window.addEventListener("beforeprint", resize);
  } else {
    shown.forEach((place) => { place.parentElement.hidden = true; });
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
