/* The organiser's page: how it is going, from what the server counts; refreshed every half minute. */
"use strict";
(function (T) {
  const E = T.element;
  const app = document.getElementById("app");
  const round = (value, digits) => (value === null || value === undefined ? "" : Number(value).toFixed(digits));

  const table = (caption, head, rows) => E("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    E("table", {}, E("caption", {}, caption), E("thead", {}, E("tr", {}, ...head.map((one) => E("th", { scope: "col" }, one)))),
      E("tbody", {}, ...rows.map((row) => E("tr", {}, ...row.map((cell, i) => E(i ? "td" : "th", i ? {} : { scope: "row" }, cell)))))));

  /* A bar from low to high with a dot at the mean, on the scale of all systems. */
  const interval = (one, low, high) => {
    if (one.low === null) return "";
    const place = (value) => `${(100 * (value - low)) / (high - low || 1)}%`;
    const bar = E("span", { class: "range" });
    const dot = E("span", { class: "dot" });
    bar.style.left = place(one.low);
    bar.style.width = `${(100 * (one.high - one.low)) / (high - low || 1)}%`;
    dot.style.left = place(one.score);
    return E("span", { class: "interval", role: "img", "aria-label": `${round(one.low, 1)} to ${round(one.high, 1)}` }, bar, dot);
  };

  const draw = (status) => {
    const minutes = status.workers.reduce((sum, one) => sum + one.active_minutes, 0);
    const ends = status.standings.flatMap((one) => [one.low === null ? one.score : one.low, one.high === null ? one.score : one.high]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const share = status.screens_given ? status.screens_done / status.screens_given : 0;
    const tiles = [["Screens", `${status.screens_done} / ${status.screens_given}`], ["Judgments", String(status.judgments)],
      ["Active time", minutes < 90 ? `${Math.round(minutes)} min` : `${(minutes / 60).toFixed(1)} h`], ["Annotators", String(status.workers.length)]];
    const agree = status.agreements.filter((one) => one.value !== null);
    app.replaceChildren(E("header", { class: "top" }, E("div", { class: "wide line" }, E("span", { class: "title" }, status.title || "Study"),
      E("span", { class: "progress" }, E("progress", { max: "1", value: String(share), "aria-label": "Progress" }), `${Math.round(100 * share)} %`),
      E("a", { href: "export.zip", class: "button" }, "Download everything"))),
    E("main", { class: "wide organiser" }, E("h1", {}, `How it is going: ${status.protocol}${status.closed ? ", closed" : ""}`),
      E("ul", { class: "tiles" }, ...tiles.map(([name, value]) => E("li", {}, E("b", {}, value), E("span", {}, name)))),
      status.standings.length ? table("Systems", ["System", status.kind, "95 %, however often you look", "Interval", "Screens"], status.standings.map((one) => [one.system, round(one.score, 2),
        one.low === null ? "too few yet" : `${round(one.low, 1)} – ${round(one.high, 1)}`, interval(one, low, high), String(one.screens)])) : E("p", {}, "No screen is finished yet."),
      status.standings.length ? E("p", { class: "faint" }, status.method) : null,
      table("Annotators", ["Annotator", "Screens", "Judgments", "Minutes", "Mean", "Checks noticed", "State"], status.workers.map((one) => [one.name || one.annotator,
        `${one.done} / ${one.given}`, String(one.judgments), round(one.active_minutes, 1), round(one.mean, 2), one.checks ? `${one.passed} / ${one.checks}` : "–",
        one.passes ? (one.finished ? "finished" : "") : "fails checks"])),
      agree.length ? table("Agreement", ["Measure", "Kind", "Raters", "Value", "Items"], agree.slice(0, 30).map((one) => [one.measure, one.kind,
        one.first ? `${one.first}, ${one.second}` : "all", round(one.value, 2), String(one.units)]))
        : E("p", { class: "faint" }, "Agreement needs outputs that two people judged: make studies with --overlap or --judgments-per-item."),
      status.disagreements.length ? table("Far apart: look at these", ["System", "Document", "Segment", "First", "Second"], status.disagreements.map((one) => [one.system,
        one.document, String(one.segment), `${one.first}: ${one.first_score}`, `${one.second}: ${one.second_score}`])) : null));
    document.title = `${status.title || "Study"}: ${Math.round(100 * share)} %`;
    document.documentElement.dataset.ready = "";
  };

  const refresh = async () => {
    try {
      const response = await fetch("status", { cache: "no-store" });
      if (response.ok) draw(await response.json());
    } catch { /* the next round may work */ }
    setTimeout(refresh, 30000);
  };
  refresh();
})(tertium);
