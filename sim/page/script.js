"use strict";
// Draws each chart anew for the colours of the page, and sorts tables by the heading that is clicked.
(function () {
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const figures = [...document.querySelectorAll(".chart")];
  function draw() {
    for (const place of figures) {
      const before = echarts.getInstanceByDom(place);
      if (before) before.dispose();
      const chart = echarts.init(place, dark.matches ? "dark" : null, { renderer: "svg" });
      chart.setOption(JSON.parse(place.nextElementSibling.textContent));
    }
  }
  if (window.echarts) {
    draw();
    dark.addEventListener("change", draw);
    window.addEventListener("resize", () => figures.forEach((place) => echarts.getInstanceByDom(place).resize()));
    window.addEventListener("beforeprint", () => figures.forEach((place) => echarts.getInstanceByDom(place).resize()));
  } else {
    figures.forEach((place) => { place.parentElement.hidden = true; });
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
