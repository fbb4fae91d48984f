/* Marking spans, with a pointer, a finger or the keyboard.

   A text is drawn as pieces (words or characters). One state serves all three ways: `anchor` and `caret` are pieces,
   and what lies between them is about to be marked. A click or tap sets both, a second one extends; dragging selects;
   arrow keys move, Shift extends. A severity then makes the span. */
"use strict";
(function (T) {
  const E = T.element;

  class Text {
    /* side: target or source. marker: who keeps the spans (a card), asked anew each time. */
    constructor({ text, side, label, language, marker, hint }) {
      Object.assign(this, { text, side, language, marker });
      this.byCharacter = T.mostlyUnspaced(text);
      this.anchor = this.caret = null;
      this.element = E("div", {
        class: "text", role: "group", tabindex: "0", dir: "auto", lang: language || null,
        "aria-label": label, "aria-describedby": hint,
      });
      this.element.addEventListener("keydown", (event) => this.key(event));
      this.element.addEventListener("click", (event) => this.click(event));
      this.element.addEventListener("pointerup", () => setTimeout(() => this.selected(), 0));
      this.element.addEventListener("blur", (event) => this.blurred(event));
      this.element.addEventListener("focus", () => { marker().activate(); if (this.element.matches(":focus-visible")) this.focused(); });
      this.cut();
    }

    cut() {
      this.pieces = T.pieces(this.text, this.byCharacter, this.language);
      this.stops = this.pieces.map((piece, i) => (piece.blank ? -1 : i)).filter((i) => i >= 0);
      this.anchor = this.caret = null;
      this.draw();
    }

    focused() {
      if (this.caret === null && this.stops.length) { this.anchor = this.caret = this.stops[0]; this.quiet = true; this.draw(); }
    }

    blurred(event) {
      const to = event.relatedTarget;
      if (to && (this.element.contains(to) || T.bar.element.contains(to))) return;
      if (this.quiet) { this.anchor = this.caret = null; this.quiet = false; this.draw(); }
    }

    /* Spans of this text, as UTF-16 units. */
    spans() {
      return this.marker().spans().filter((span) => span.side === this.side).map((span) => ({
        span, start: T.units(this.text, span.start), end: T.units(this.text, span.end),
      }));
    }

    range() {
      if (this.caret === null) return null;
      const [first, last] = [Math.min(this.anchor, this.caret), Math.max(this.anchor, this.caret)];
      return { start: this.pieces[first].start, end: this.pieces[last].end };
    }

    draw() {
      const spans = this.spans();
      const pending = this.range();
      const edges = new Set();
      for (const piece of this.pieces) edges.add(piece.start).add(piece.end);
      for (const one of spans) edges.add(one.start).add(one.end);
      const order = [...edges].sort((a, b) => a - b);
      const fragment = document.createDocumentFragment();
      let index = 0;
      for (let i = 0; i + 1 < order.length; i++) {
        const [start, end] = [order[i], order[i + 1]];
        while (this.pieces[index].end <= start) index++;
        const over = spans.filter((one) => one.start <= start && end <= one.end);
        const classes = ["piece"];
        if (over.length) {
          const worst = over.reduce((a, b) => (T.level(b.span.severity) > T.level(a.span.severity) ? b : a));
          classes.push("mark", `level-${T.level(worst.span.severity)}`);
          if (over.some((one) => one.start === start)) classes.push("first");
          if (over.some((one) => one.end === end)) classes.push("last");
        }
        if (pending && pending.start <= start && end <= pending.end) classes.push("pending");
        if (this.caret !== null && this.pieces[this.caret].start <= start && end <= this.pieces[this.caret].end) classes.push("caret");
        const element = E(over.length ? "mark" : "span", { class: classes.join(" ") }, this.text.slice(start, end));
        element.dataset.piece = index;
        if (over.length) element.dataset.span = this.marker().spans().indexOf(over[0].span);
        fragment.append(element);
      }
      if (!this.text) fragment.append(E("span", { class: "empty" }, T.say("text.empty")));
      this.element.replaceChildren(fragment);
    }

    pieceAt(node) {
      const element = node && (node.nodeType === 1 ? node : node.parentElement);
      const found = element && element.closest && element.closest("[data-piece]");
      return found && this.element.contains(found) ? Number(found.dataset.piece) : null;
    }

    /* What was selected by dragging, or by a long press: whole pieces. */
    selected() {
      const selection = getSelection();
      if (!selection.rangeCount || selection.isCollapsed) return false;
      const range = selection.getRangeAt(0);
      if (!this.element.contains(range.startContainer) || !this.element.contains(range.endContainer)) return false;
      let first = this.pieceAt(range.startContainer), last = this.pieceAt(range.endContainer);
      if (first === null || last === null) return false;
      const ends = (container, offset, piece, atStart) => {
        if (container.nodeType !== 3) return piece;
        return atStart ? (offset >= container.data.length ? piece + 1 : piece) : (offset <= 0 ? piece - 1 : piece);
      };
      first = ends(range.startContainer, range.startOffset, first, true);
      last = ends(range.endContainer, range.endOffset, last, false);
      const stops = this.stops.filter((stop) => stop >= first && stop <= last);
      if (!stops.length) return false;
      selection.removeAllRanges();
      this.dragged = performance.now();
      this.choose(stops[0], stops[stops.length - 1]);
      return true;
    }

    click(event) {
      if (this.marker().locked || (this.dragged && performance.now() - this.dragged < 400)) return;
      const piece = this.pieceAt(event.target);
      const marked = event.target.closest("[data-span]");
      const started = this.caret !== null && !this.quiet;
      if (marked && !started && !this.marker().part.overlapping) { this.marker().focusSpan(Number(marked.dataset.span)); return; }
      if (piece === null || this.pieces[piece].blank) return;
      if (started && T.bar.text === this) this.choose(this.anchor, piece);
      else this.choose(piece, piece);
    }

    choose(anchor, caret) {
      if (this.marker().locked) return;
      this.marker().activate();
      this.quiet = false;
      [this.anchor, this.caret] = [anchor, caret];
      this.draw();
      T.bar.open(this);
    }

    clear() {
      this.anchor = this.caret = null;
      this.draw();
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || this.marker().locked) return;
      const rtl = getComputedStyle(this.element).direction === "rtl";
      const steps = { ArrowRight: rtl ? -1 : 1, ArrowLeft: rtl ? 1 : -1, Home: -Infinity, End: Infinity };
      const severities = this.marker().part.severities;
      if (event.key in steps && this.stops.length) {
        this.move(steps[event.key], event.shiftKey);
      } else if (event.key === "Enter" || event.key === " ") {
        if (this.caret === null) this.focused();
        this.quiet = false;
        T.bar.open(this);
        T.bar.focus();
      } else if (/^[1-9]$/.test(event.key) && severities[event.key - 1]) {
        this.mark(severities[event.key - 1]);
      } else if (event.key === "m" && severities.includes("minor")) {
        this.mark("minor");
      } else if (event.key === "M" && severities.includes("major")) {
        this.mark("major");
      } else if (event.key === "Delete" || event.key === "Backspace") {
        this.remove();
      } else if (event.key === "Escape") {
        T.bar.close();
        this.clear();
      } else if (event.key === "o" && this.marker().part.sides.includes("missing")) {
        this.marker().addMissing();
      } else if (event.key === "c") {
        this.byCharacter = !this.byCharacter;
        this.cut();
        this.focused();
        T.announce(T.say(this.byCharacter ? "mark.by_character" : "mark.by_word"));
      } else return;
      event.preventDefault();
    }

    move(step, extend) {
      if (this.caret === null) { this.focused(); return; }
      const at = this.stops.indexOf(this.caret);
      const next = this.stops[Math.max(0, Math.min(this.stops.length - 1, at + step))];
      this.caret = next;
      if (!extend) this.anchor = next;
      this.quiet = !extend && (this.quiet !== false || T.bar.text !== this);
      this.draw();
      const { start, end } = this.range();
      const over = this.spans().find((one) => one.start < end && start < one.end);
      T.announce(this.text.slice(start, end) + (over ? ` (${T.say("severity." + over.span.severity)})` : ""));
      if (extend) T.bar.open(this);
      else if (T.bar.text === this) T.bar.close(true);
    }

    remove() {
      const range = this.range();
      if (!range) return;
      const over = this.spans().find((one) => one.start < range.end && range.start < one.end);
      if (over) this.marker().removeSpan(over.span);
      T.bar.close();
      this.draw();
    }

    mark(severity) {
      const range = this.range();
      if (!range || this.marker().locked) return;
      const overlaps = this.spans().filter((one) => one.start < range.end && range.start < one.end);
      if (overlaps.length && !this.marker().part.overlapping) {
        // What is marked again takes the place of what was marked before.
        for (const one of overlaps) this.marker().removeSpan(one.span, true);
      }
      const span = {
        start: T.codePoints(this.text, range.start), end: T.codePoints(this.text, range.end), side: this.side,
        severity, category: null, text: this.text.slice(range.start, range.end), note: "",
      };
      const here = this.caret;
      T.bar.close();
      this.clear();
      if (document.activeElement === this.element) { this.anchor = this.caret = here; this.quiet = true; }
      this.marker().addSpan(span);
      T.announce(T.say("mark.made", { severity: T.say("severity." + severity), text: span.text }));
    }
  }

  /* A text that is too long for its place, cut between two characters. */
  const brief = (text, most) => {
    const characters = T.graphemes(text);
    return characters.length > most ? characters.slice(0, most - 1).join("") + "…" : text;
  };

  /* The bar that asks how bad it is: beside the marked words, or at the bottom of a small screen. */
  const bar = (T.bar = { text: null, element: E("div", { class: "bar", role: "dialog", hidden: true }) });

  bar.open = (text) => {
    if (bar.text && bar.text !== text) bar.text.clear();
    bar.text = text;
    const marker = text.marker();
    const range = text.range();
    bar.element.setAttribute("aria-label", T.say("mark.how_bad"));
    bar.element.replaceChildren(
      E("span", { class: "about" }, marker.title ? E("span", { class: "whose" }, marker.title) : null,
        E("span", { class: "quoted", dir: "auto" }, brief(text.text.slice(range.start, range.end), 40))),
      ...marker.part.severities.map((severity, i) => E("button", {
        type: "button", class: `severity level-${T.level(severity)}`, "aria-keyshortcuts": String(i + 1),
        onclick: () => text.mark(severity),
      }, T.say("severity." + severity), E("kbd", { "aria-hidden": "true" }, String(i + 1)))),
      E("button", { type: "button", class: "plain", onclick: () => { bar.close(); text.clear(); text.element.focus(); } }, T.say("cancel")),
    );
    bar.element.hidden = false;
    bar.place();
  };

  bar.place = () => {
    if (bar.element.hidden || !bar.text) return;
    const small = matchMedia("(max-width: 40rem)").matches;
    bar.element.classList.toggle("docked", small);
    if (small) { bar.element.style.top = bar.element.style.left = ""; return; }
    const pending = bar.text.element.querySelectorAll(".pending");
    if (!pending.length) return;
    const at = pending[pending.length - 1].getBoundingClientRect();
    bar.element.style.left = "0"; // where it is as wide as it likes
    const size = bar.element.getBoundingClientRect();
    bar.element.style.top = `${scrollY + at.bottom + 6}px`;
    bar.element.style.left = `${Math.max(8, Math.min(at.left + scrollX, document.documentElement.clientWidth - size.width - 8))}px`;
  };

  bar.focus = () => { const button = bar.element.querySelector("button"); if (button) button.focus(); };

  bar.close = (keep) => {
    const text = bar.text;
    bar.text = null;
    bar.element.hidden = true;
    if (text && !keep && document.activeElement && bar.element.contains(document.activeElement)) text.element.focus();
  };

  bar.element.addEventListener("keydown", (event) => {
    const text = bar.text;
    if (!text) return;
    const severity = text.marker().part.severities[Number(event.key) - 1];
    if (event.key === "Escape") { bar.close(); text.clear(); text.element.focus(); }
    else if (severity) { text.element.focus(); text.mark(severity); }
    else return;
    event.preventDefault();
  });
  addEventListener("resize", bar.place);
  document.addEventListener("selectionchange", () => {
    // A finger selects by a long press and moves the ends; the bar follows when it rests.
    clearTimeout(bar.waiting);
    bar.waiting = setTimeout(() => {
      const selection = getSelection();
      if (!selection.rangeCount || selection.isCollapsed || !matchMedia("(pointer: coarse)").matches) return;
      const node = selection.anchorNode;
      const holder = node && (node.nodeType === 1 ? node : node.parentElement);
      const element = holder && holder.closest(".text");
      if (element && element.tertium) element.tertium.selected();
    }, 700);
  });

  const LEVELS = { neutral: 0, minor: 1, major: 2, critical: 3 };
  T.level = (severity) => (severity in LEVELS ? LEVELS[severity] : severity ? 2 : 0);

  T.Text = class extends Text {
    constructor(options) { super(options); this.element.tertium = this; }
  };

  /* The marked errors below a text: severity, category, note, and a way to take each back. */
  T.spanList = (card) => {
    const list = E("ul", { class: "errors", "aria-label": T.say("mark.list") });
    card.spans().forEach((span, number) => {
      const id = `${card.id}-span-${number}`;
      const shown = span.side === "missing" ? T.say("mark.missing") : span.text;
      const severity = E("select", {
        id: `${id}-severity`, "aria-label": T.say("mark.severity_of", { text: shown }), disabled: card.locked,
        onchange: (event) => card.change(span, { severity: event.target.value || null }),
      }, ...(span.severity ? [] : [E("option", { value: "" }, "…")]), ...card.part.severities.map((one) =>
        E("option", { value: one, selected: one === span.severity }, T.say("severity." + one))));
      const entry = E("li", { class: `error level-${T.level(span.severity)}`, "data-span": String(number) },
        severity,
        E("span", { class: "quoted", dir: "auto" }, brief(shown, 60)),
        span.side === "source" ? E("span", { class: "side" }, T.say("mark.in_source")) : null,
      );
      if (card.part.typology) entry.append(...[category(card, span, id, shown), note(card, span, id, shown)].filter(Boolean));
      entry.append(E("button", {
        type: "button", class: "remove", disabled: card.locked, "aria-label": T.say("mark.remove", { text: shown }),
        onclick: () => card.removeSpan(span),
      }, "✕"));
      list.append(entry);
    });
    return list;
  };

  const category = (card, span, id, shown) => E("select", {
    id: `${id}-category`, class: "category", "aria-label": T.say("mark.category_of", { text: shown }), disabled: card.locked,
    onchange: (event) => {
      const rule = card.part.typology.rules[event.target.value] || {};
      card.change(span, { category: event.target.value || null, ...(rule.severity ? { severity: rule.severity } : {}) });
    },
  }, E("option", { value: "" }, T.say("mark.category")), ...card.part.typology.categories.map(([name, subs]) => {
    const fits = (full) => { const rule = card.part.typology.rules[full]; return !rule || !rule.side || rule.side === span.side; };
    if (!subs.length) return fits(name) ? E("option", { value: name, selected: span.category === name }, name) : null;
    return E("optgroup", { label: name }, ...subs.filter((sub) => fits(`${name}/${sub}`)).map((sub) =>
      E("option", { value: `${name}/${sub}`, selected: span.category === `${name}/${sub}` }, sub)));
  }).filter(Boolean));

  const note = (card, span, id, shown) => {
    const rule = card.part.typology.rules[span.category];
    if (!(rule && rule.note) && !span.note) return null;
    return E("input", {
      id: `${id}-note`, class: "note", type: "text", maxlength: "2000", value: span.note, disabled: card.locked,
      placeholder: T.say("mark.note"), "aria-label": T.say("mark.note_of", { text: shown }),
      oninput: (event) => card.change(span, { note: event.target.value }, true),
    });
  };
})(tertium);
