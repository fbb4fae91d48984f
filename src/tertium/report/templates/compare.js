"use strict";
// What the reader chooses (metric, systems, filters) decides what is drawn. Texts only ever become text nodes.
(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (letter) => letter.charCodeAt(0));
  const data = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
  const segments = data.segments, count = segments.number.length;
  const find = (id) => document.getElementById(id);
  const PAGE = 20;
  const state = { metric: 0, one: data.pair[0], two: data.pair[1], from: 0, to: count - 1, shown: PAGE, all: false };

  function make(name, attributes, ...inside) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === true) node.setAttribute(key, "");
      else if (value !== false && value != null) node.setAttribute(key, value);
    }
    node.append(...inside);
    return node;
  }
  function draw(name, attributes) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }
  const decimals = () => data.metrics[state.metric].decimals;
  const minus = (text) => text.replace("-", "−");
  const fixed = (value, places = decimals()) => minus(value.toFixed(places));
  const colour = (system) => `var(--s${system % 7})`;  // one colour per system through the whole page
  const signed = (value, places = decimals()) => (value > 0 ? "+" : "") + minus(value.toFixed(places));
  const plain = (value) => value.toLocaleString("en");

  // --- differences, in the order of the chart: where A is better first ---
  let difference = [], order = [], sign = 1;
  function compute() {
    const [a, b] = [segments.scores[state.metric][state.one], segments.scores[state.metric][state.two]];
    sign = data.metrics[state.metric].higher ? 1 : -1;
    difference = a.map((value, i) => b[i] - value);
    order = difference.map((_, i) => i).sort((i, j) => sign * (difference[i] - difference[j]) || i - j);
    state.from = 0; state.to = count - 1;
  }

  // --- difference by segment ---
  const WIDTH = 1000, HEIGHT = 200;
  let cover = [];
  function drawBrush() {
    const box = find("brush");
    box.textContent = "";
    const largest = Math.max(...difference.map(Math.abs), 1e-9);
    const svg = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `Differences of ${count} segments, sorted, from ${signed(difference[order[0]])} to ${signed(difference[order[count - 1]])}` });
    const step = WIDTH / count, middle = HEIGHT / 2;
    const paths = { a: "", b: "" };
    order.forEach((i, k) => {
      const d = sign * difference[i];
      if (d === 0) return;
      const height = (middle - 4) * Math.abs(d) / largest, x = (k * step).toFixed(2), wide = Math.max(step, 0.6).toFixed(2);
      paths[d > 0 ? "b" : "a"] += d > 0 ? `M${x} ${middle}v${-height.toFixed(2)}h${wide}V${middle}z` : `M${x} ${middle}v${height.toFixed(2)}h${wide}V${middle}z`;
    });
    svg.append(draw("path", { d: paths.a, class: "a" }), draw("path", { d: paths.b, class: "b" }),
      draw("line", { x1: 0, x2: WIDTH, y1: middle, y2: middle, class: "zero" }));
    cover = [draw("rect", { y: 0, height: HEIGHT, class: "off" }), draw("rect", { y: 0, height: HEIGHT, class: "off" }),
      draw("line", { y1: 0, y2: HEIGHT, class: "edge" }), draw("line", { y1: 0, y2: HEIGHT, class: "edge" })];
    svg.append(...cover);
    const place = (event) => {
      const edges = svg.getBoundingClientRect();
      return Math.min(count - 1, Math.max(0, Math.floor((event.clientX - edges.left) / edges.width * count)));
    };
    let start = null;
    svg.addEventListener("pointerdown", (event) => { start = place(event); svg.setPointerCapture(event.pointerId); });
    svg.addEventListener("pointermove", (event) => { if (start !== null) brush(Math.min(start, place(event)), Math.max(start, place(event)), false); });
    svg.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const end = place(event), single = Math.abs(end - start) < Math.max(1, count / 200);
      if (single) brush(0, count - 1, true); else brush(Math.min(start, end), Math.max(start, end), true);
      start = null;
    });
    svg.addEventListener("pointercancel", () => { start = null; });
    const ends = make("div", { class: "ends" }, make("span", {}, "A better"), make("span", {}, `largest: ${fixed(largest)}`), make("span", {}, "B better"));
    box.append(svg, ends);
    for (const id of ["from", "to"]) find(id).max = count - 1;
  }
  function brush(from, to, list) {
    state.from = from; state.to = to;
    find("from").value = from; find("to").value = to;
    const step = WIDTH / count, left = from * step, right = (to + 1) * step, all = from === 0 && to === count - 1;
    const set = (node, values) => { for (const [key, value] of Object.entries(values)) node.setAttribute(key, value); };
    set(cover[0], { x: 0, width: left }); set(cover[1], { x: right, width: Math.max(0, WIDTH - right) });
    set(cover[2], { x1: left, x2: left, visibility: all ? "hidden" : "visible" });
    set(cover[3], { x1: right, x2: right, visibility: all ? "hidden" : "visible" });
    find("from").setAttribute("aria-valuetext", `place ${from + 1}, difference ${signed(difference[order[from]])}`);
    find("to").setAttribute("aria-valuetext", `place ${to + 1}, difference ${signed(difference[order[to]])}`);
    find("brushed").textContent = all ? `All ${plain(count)} segments.`
      : `${plain(to - from + 1)} segments, differences from ${signed(difference[order[from]])} to ${signed(difference[order[to]])}.`;
    if (list) { state.shown = PAGE; drawSegments(); }
  }

  // --- every table can be sorted by a column: numbers from large to small, then the other way round ---
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    heads.forEach((head, k) => {
      if (head.querySelector(".hidden") || head.querySelector("button")) return;
      const button = make("button", { type: "button", class: "sort" }, ...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const value = (row) => row.cells[k].textContent.trim();
        const number = (text) => parseFloat(text.replace(/[−]/g, "-").replace(/[,↑↓[\s]/g, ""));
        const rows = [...body.rows], numeric = rows.every((row) => !value(row) || value(row) === "–" || !Number.isNaN(number(value(row))));
        const down = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : numeric;
        const missing = (row) => (Number.isNaN(number(value(row))) ? -Infinity : number(value(row)));
        rows.sort((x, y) => (numeric ? missing(x) - missing(y) : value(x).localeCompare(value(y))) * (down ? -1 : 1));
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        body.append(...rows);
        rows.forEach((row) => row.classList.remove("opens"));  // lines between clusters mean nothing in another order
      });
    });
  }

  // --- tables with bars ---
  // Names often begin alike and differ at the end, so the middle goes; all of it shows when it is pointed at.
  const short = (label) => ([...label].length > 24 ? `${[...label].slice(0, 11).join("")}…${[...label].slice(-12).join("")}` : label);
  function cells(row, values) { for (const value of values) row.append(make("td", { class: "number" }, value)); }
  function barTable(box, heading, columns, rows, largest) {
    const head = make("tr", {}, make("th", { scope: "col" }, heading), ...columns.map((text) => make("th", { scope: "col", class: "number" }, text)),
      make("th", { scope: "col" }, make("span", { class: "hidden" }, "Bar")));
    const body = make("tbody", {});
    for (const { label, values, bar } of rows) {
      const row = make("tr", {}, make("th", { scope: "row", title: label }, make("bdi", {}, short(label))));
      cells(row, values);
      const share = largest > 0 ? Math.min(50, 50 * Math.abs(bar) / largest) : 0;
      const piece = make("i", { class: bar > 0 ? "b" : "a" });
      piece.style.width = share + "%";
      piece.style[bar > 0 ? "left" : "right"] = "50%";
      row.append(make("td", { class: "bar-cell" }, make("span", { class: "track", "aria-hidden": "true" }, piece)));
      body.append(row);
    }
    const name = `${heading}: ${columns.join(", ")}`;
    box.append(make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name },
      make("table", { class: "bars" }, make("thead", {}, head), body)));
    sortable(box.querySelector("div:last-child > table"));
  }
  function groupTable(box, heading, sizeName, groups, a, b, direction, places, most) {
    box.textContent = "";
    let rows = groups.names.map((label, k) => ({ label, size: groups.sizes[k], a: a[k], b: b[k] }))
      .filter((row) => row.a !== null && row.b !== null)
      .map((row) => ({ ...row, bar: direction * (row.b - row.a) }));
    const largest = Math.max(...rows.map((row) => Math.abs(row.bar)), 0);
    const left = [];
    if (most) rows.sort((x, y) => y.bar - x.bar);
    if (most && rows.length > most) {
      const button = make("button", { type: "button", class: "quiet" }, state.all ? `Only the ${most} that differ most` : `All ${plain(rows.length)}`);
      button.addEventListener("click", () => { state.all = !state.all; drawGroups(); find(box.id).querySelector("button.quiet").focus(); });
      left.push(make("p", { class: "note" }, state.all ? "" : `${most} of ${plain(rows.length)}: those that differ most. `, button));
      if (!state.all) rows = [...rows.slice(0, most / 2), ...rows.slice(-most / 2)];
    }
    barTable(box, heading, [sizeName, "A", "B", "B − A"], rows.map((row) => ({ label: row.label, bar: row.bar,
      values: [plain(row.size), fixed(row.a, places), fixed(row.b, places), signed(row.b - row.a, places)] })), largest);
    box.append(...left);
  }
  function drawGroups() {
    const { metric, one, two } = state;
    if (data.documents) groupTable(find("documents"), "Document", "Segments", data.documents, data.documents.scores[metric][one], data.documents.scores[metric][two], sign, decimals(), 10);
    groupTable(find("lengths"), "Length", "Segments", data.lengths, data.lengths.scores[metric][one], data.lengths.scores[metric][two], sign, decimals(), 0);
    groupTable(find("frequencies"), "Occurs", "Words", data.frequencies, data.frequencies.scores[one], data.frequencies.scores[two], 1, 2, 0);
  }
  function drawNgrams() {
    const wanted = Number(find("order").value), { one, two } = state;
    const all = find("common").checked;
    const rows = data.ngrams.filter((row) => (!wanted || row[1] === wanted) && (all || !row[4])).map(([label, , total, matched]) => ({ label,
      bar: matched[two] - matched[one], values: [plain(total), plain(matched[one]), plain(matched[two])] }));
    for (const [id, side, better] of [["ngrams-two", 1, "B"], ["ngrams-one", -1, "A"]]) {
      const box = find(id);
      box.textContent = "";
      const some = rows.filter((row) => side * row.bar > 0).sort((x, y) => side * (y.bar - x.bar) || (x.label < y.label ? -1 : 1)).slice(0, 15);
      box.append(make("h4", {}, `${better} gets more often`));
      if (some.length) barTable(box, "N-gram", ["Wanted", "A", "B"], some, Math.max(...rows.map((row) => Math.abs(row.bar))));
      else box.append(make("p", { class: "note" }, "None."));
    }
  }

  // --- segments ---
  const words = (text) => text.split(" ");
  function unfolded(letters) {
    return letters.replace(/(\d+)(\w)/g, (_, times, letter) => letter.repeat(Number(times)));
  }
  // Each hypothesis word, in its own order, with what happened to it; missing words stand where they are missed.
  function edits(segment, system) {
    const [reference, letters, shifts, own, theirs] = segments.alignments[segment][system];
    const hypothesis = own || words(segments.hypotheses[segment][system]);
    const target = theirs || words(segments.references[segment][reference]);
    const places = hypothesis.map((_, i) => i), moved = new Set();
    for (const [start, end, to] of shifts || []) {
      const block = places.splice(start, end - start);
      block.forEach((place) => moved.add(place));
      places.splice(to, 0, ...block);
    }
    const steps = hypothesis.map((word) => ({ word, kind: "m" })), missing = new Map();
    let i = 0, j = 0, last = -1;
    for (const letter of unfolded(letters)) {
      if (letter === "d") { missing.set(last, [...(missing.get(last) || []), target[j]]); j += 1; continue; }
      last = places[i];
      steps[last].kind = letter;
      if (letter === "s") steps[last].instead = target[j];
      if (letter !== "i") j += 1;
      i += 1;
    }
    const out = [];
    const lost = (place) => (missing.get(place) || []).forEach((word) => out.push({ word, kind: "d" }));
    lost(-1);
    steps.forEach((step, place) => { out.push({ ...step, moved: moved.has(place) }); lost(place); });
    return out;
  }
  // What two texts have in common, word by word (longest common subsequence).
  function against(text, other) {
    const [a, b] = [words(text), words(other)];
    if (a.length * b.length > 250000) return a.map((word) => ({ word, kind: "m" }));
    const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--)
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    const out = [];
    let i = 0, j = 0;
    while (i < a.length) {
      if (j < b.length && a[i] === b[j]) { out.push({ word: a[i++], kind: "m" }); j++; }
      else if (j < b.length && table[i][j + 1] >= table[i + 1][j]) j++;
      else out.push({ word: a[i++], kind: "i" });
    }
    return out;
  }
  const KIND = { s: ["mark", "substitution"], i: ["ins", "extra"], d: ["del", "missing"] };
  function flow(steps, glue) {
    const line = make("p", { dir: "auto" });
    steps.forEach((step, k) => {
      if (k) line.append(glue);
      const [tag, name] = KIND[step.kind] || [null, ""];
      if (!tag && !step.moved) { line.append(step.word); return; }
      const title = [step.instead != null ? `${name}: the reference has “${step.instead}”` : name, step.moved ? "moved" : ""].filter(Boolean).join(", ");
      line.append(make(tag || "span", { class: `${step.kind === "m" ? "" : step.kind}${step.moved ? " moved" : ""}`.trim(), title }, step.word));
    });
    return line;
  }
  // --- errors that people or metrics marked: severity by colour, line and word, the category where it is pointed at ---
  const chosenMarker = () => (find("marker") ? find("marker").value : "none");
  function markings(segment, system) {
    const marker = chosenMarker();
    if (!segments.markings || marker === "none") return [];
    return segments.markings[segment][system].filter(([by]) => marker === "" || by === data.markers[Number(marker)]);
  }
  function error([text, shape, severity, what]) {
    return make("mark", { class: `error ${shape}`, tabindex: "0", title: [severity, what].filter(Boolean).join(": ") }, text,
      make("small", {}, severity), ...(what ? [make("small", { class: "what" }, `: ${what}`)] : []));
  }
  function marked([by, score, target, source, rest]) {
    const worth = score === null ? "" : `, ${minus(String(Math.round(score * 100) / 100))}`;
    const line = (name, pieces) => make("p", { class: "errors", dir: "auto" }, make("span", { class: "by" }, ...name), ...pieces);
    const words = (pieces) => pieces.map((piece) => (typeof piece === "string" ? piece : error(piece)));
    const who = [make("bdi", {}, by), `${worth}: `];
    const lines = [];
    if (target.length) lines.push(line(who, words(target)));
    else if (!source.length && !rest.length) lines.push(line(who, ["no error marked"]));
    if (source.length) lines.push(line([make("bdi", {}, by), ", in the source: "], words(source)));
    if (rest.length) lines.push(line(target.length || source.length ? ["And "] : who, rest.flatMap((piece) => [error(piece), " "])));
    return lines;
  }
  const told = (segment, system) => markings(segment, system).flatMap(([by, , ...parts]) => parts.flat().filter(Array.isArray)
    .map(([text, , severity, what]) => `${by}: ${severity}${what ? ` (${what})` : ""} “${text}”`)).join("; ");
  const rawText = (text) => make("p", { dir: "auto" }, text || "(empty)");
  function side(segment, letter, system, other) {
    const text = segments.hypotheses[segment][system], view = find("view").value;
    const score = segments.scores[state.metric][system][segment];
    const tokens = segments.alignments[segment][system][3];
    const title = make("h4", {}, `${letter}: `, make("bdi", {}, data.systems[system]), `, ${data.metrics[state.metric].label} ${fixed(score)}`);
    let shown = rawText(text);
    if (view === "edits") shown = flow(edits(segment, system), tokens && tokens.every((token) => [...token].length === 1) ? "\u200b" : " ");
    else if (view === "pair") shown = flow(against(text, segments.hypotheses[segment][other]), " ");
    const box = make("div", { class: letter.toLowerCase() }, title, shown, ...markings(segment, system).flatMap(marked));
    box.style.setProperty("--system", colour(system));
    return box;
  }
  function others() {  // further systems that are shown beside A and B
    const chosen = ["third", "fourth"].map(find).filter((node) => node && node.value !== "").map((node) => Number(node.value));
    return [...new Set(chosen)].filter((system) => system !== state.one && system !== state.two);
  }
  function card(segment) {
    const { one, two } = state, d = difference[segment], better = sign * d;
    const facts = [`Segment ${plain(segments.number[segment])}`];
    if (segments.document) facts.push(data.documents.names[segments.document[segment]]);
    const verdict = better === 0 ? "equal" : `${better > 0 ? "B" : "A"} better by ${fixed(Math.abs(d))}`;
    const box = make("article", { class: "card", "aria-label": facts.join(", ") },
      make("h3", {}, make("bdi", {}, facts.join(" · ")), make("span", { class: "better" }, verdict)));
    if (segments.source) box.append(make("h4", {}, "Source"), rawText(segments.source[segment]));
    segments.references[segment].forEach((text, k, all) => box.append(make("h4", {}, all.length > 1 ? `Reference ${k + 1}` : "Reference"), rawText(text)));
    box.append(make("div", { class: "sides" }, side(segment, "A", one, two), side(segment, "B", two, one),
      ...others().map((system, k) => side(segment, "CD"[k], system, one))));
    return box;
  }
  function matching() {
    const wanted = find("search").value.trim().toLowerCase(), document_ = find("document").value;
    const differing = find("differing").checked && state.one !== state.two;
    const texts = (i) => [segments.source ? segments.source[i] : "", ...segments.references[i], segments.hypotheses[i][state.one], segments.hypotheses[i][state.two]];
    const kept = order.slice(state.from, state.to + 1).filter((i) =>
      (!differing || segments.hypotheses[i][state.one] !== segments.hypotheses[i][state.two])
      && (document_ === "" || segments.document[i] === Number(document_))
      && (!wanted || texts(i).some((text) => text.toLowerCase().includes(wanted))));
    const second = segments.scores[state.metric][state.two];
    const rules = { size: (i, j) => Math.abs(difference[j]) - Math.abs(difference[i]), two: (i, j) => sign * (difference[j] - difference[i]),
      one: (i, j) => sign * (difference[i] - difference[j]), "low-two": (i, j) => sign * (second[i] - second[j]), number: () => 0 };
    return kept.sort((i, j) => rules[find("sort").value](i, j) || i - j);
  }
  function drawSegments() {
    const found = matching(), list = find("list");
    list.textContent = "";
    found.slice(0, state.shown).forEach((segment) => list.append(card(segment)));
    find("found").textContent = `${plain(found.length)} of ${plain(count)} segments${found.length > state.shown ? `, ${plain(state.shown)} shown` : ""}.`;
    find("more").hidden = found.length <= state.shown;
    find("edit-legend").hidden = find("view").value !== "edits";
    if (find("error-legend")) find("error-legend").hidden = chosenMarker() === "none";
    remember();
  }

  // --- what is shown, as a file ---
  function quoted(value) {
    let text = String(value);
    if (/^[=+@]/.test(text)) text = "'" + text;  // a spreadsheet would run it
    return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  }
  function save() {
    const shown = [state.one, state.two, ...others()], scores = segments.scores[state.metric], metric = data.metrics[state.metric].label;
    const head = ["segment", ...(segments.document ? ["document"] : []), ...shown.map((system) => `${metric} of ${data.systems[system]}`), "B minus A",
      ...(segments.source ? ["source"] : []), "reference", ...shown.map((system) => data.systems[system]), ...(segments.markings ? shown.map((system) => `errors of ${data.systems[system]}`) : [])];
    const rows = matching().map((i) => [segments.number[i], ...(segments.document ? [data.documents.names[segments.document[i]]] : []),
      ...shown.map((system) => scores[system][i]), difference[i].toFixed(decimals()), ...(segments.source ? [segments.source[i]] : []),
      segments.references[i][0], ...shown.map((system) => segments.hypotheses[i][system]), ...(segments.markings ? shown.map((system) => told(i, system)) : [])]);
    const text = [head, ...rows].map((row) => row.map(quoted).join(",")).join("\r\n") + "\r\n";
    const link = make("a", { href: URL.createObjectURL(new Blob(["\ufeff" + text], { type: "text/csv" })), download: "segments.csv" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  // --- a link that brings back what is shown: choices stand in the address, after # ---
  const KEPT = ["metric", "one", "two", "third", "fourth", "order", "common", "search", "sort", "document", "view", "marker", "differing", "from", "to"];
  const setting = (node) => (node.type === "checkbox" ? (node.checked ? "1" : "") : node.value);
  function remember() {
    const kept = new URLSearchParams();
    for (const id of KEPT) {
      const node = find(id);
      if (node && setting(node) !== usual[id]) kept.set(id, setting(node));
    }
    if (kept.has("from") || kept.has("to")) { kept.set("from", state.from); kept.set("to", state.to); }
    const hash = kept.toString();
    if (hash || location.hash.includes("=")) history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  }
  function recall() {
    const kept = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const [id, value] of kept) {
      const node = KEPT.includes(id) ? find(id) : null;
      if (!node) continue;
      if (node.type === "checkbox") node.checked = value === "1";
      else if (node.tagName !== "SELECT" || [...node.options].some((option) => option.value === value)) node.value = value;
    }
    for (const id of ["metric", "one", "two"]) state[id] = Number(find(id).value);
    everything();
    const [from, to] = ["from", "to"].map((id) => Number(kept.get(id)));
    if (kept.has("to") && from >= 0 && from <= to && to < count) brush(from, to, true);
  }
  const usual = {};

  function everything() {
    compute();
    document.documentElement.style.setProperty("--a", colour(state.one));
    document.documentElement.style.setProperty("--b", colour(state.two));
    document.querySelectorAll("[data-metric]").forEach((node) => { node.hidden = Number(node.dataset.metric) !== state.metric; });
    for (const node of document.querySelectorAll(".pair")) {
      node.textContent = "";
      node.append("A is ", make("bdi", {}, data.systems[state.one]), ", B is ", make("bdi", {}, data.systems[state.two]), `, by ${data.metrics[state.metric].label}`);
    }
    drawBrush(); drawGroups(); drawNgrams();
    brush(0, count - 1, true);
  }

  for (const id of ["metric", "one", "two"]) {
    find(id).value = state[id];
    find(id).addEventListener("change", (event) => { state[id] = Number(event.target.value); everything(); });
  }
  find("swap").addEventListener("click", () => {
    [state.one, state.two] = [state.two, state.one];
    find("one").value = state.one; find("two").value = state.two;
    everything();
  });
  find("from").addEventListener("input", (event) => brush(Math.min(Number(event.target.value), state.to), state.to, true));
  find("to").addEventListener("input", (event) => brush(state.from, Math.max(Number(event.target.value), state.from), true));
  find("all").addEventListener("click", () => brush(0, count - 1, true));
  for (const id of ["order", "common"]) find(id).addEventListener("change", () => { drawNgrams(); remember(); });
  find("csv").addEventListener("click", save);
  for (const id of ["sort", "document", "view", "marker", "differing", "third", "fourth"].filter(find)) find(id).addEventListener("change", () => { state.shown = PAGE; drawSegments(); });
  let waiting = 0;
  find("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(() => { state.shown = PAGE; drawSegments(); }, 120); });
  for (const form of document.querySelectorAll("form")) form.addEventListener("submit", (event) => event.preventDefault());
  find("more").addEventListener("click", () => {
    const before = find("list").children.length;
    state.shown += PAGE; drawSegments();
    const next = find("list").children[before];
    if (next) { next.tabIndex = -1; next.focus(); }
  });
  if (data.documents && segments.document) {
    find("document-choice").hidden = false;
    find("document").append(...data.documents.names.map((name, k) => make("option", { value: k }, name)));
  }
  document.querySelectorAll("main table").forEach(sortable);
  for (const id of ["from", "to"]) find(id).max = count - 1;
  find("to").value = count - 1;
  for (const id of KEPT) if (find(id)) usual[id] = setting(find(id));
  recall();
  document.documentElement.dataset.ready = "true";
})();
