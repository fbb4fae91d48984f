/* The page: one screen at a time, drawn from what the server sends; texts only ever as text. */
"use strict";
(function (T) {
  const E = T.element;
  const app = document.getElementById("app");
  const SIDES = ["source", "target", "missing"]; // in which order marks are listed, here and on the server
  const state = { about: null, screen: null, cards: [], active: null, ahead: new Map(), warned: false };
  const live = E("div", { class: "unseen", "aria-live": "polite" });
  T.announce = (text) => { live.textContent = text; };

  const theme = {
    get() { try { return localStorage.getItem("tertium:theme"); } catch { return null; } },
    set(value) {
      try { if (value) localStorage.setItem("tertium:theme", value); else localStorage.removeItem("tertium:theme"); } catch { /* this time only */ }
      theme.apply(value);
    },
    apply(value) { if (value) document.documentElement.dataset.theme = value; else delete document.documentElement.dataset.theme; },
    next() { const order = [null, "light", "dark"]; return order[(order.indexOf(theme.get()) + 1) % 3]; },
  };
  theme.apply(theme.get());

  /* One output: its text, what was answered, and the controls that change it. */
  class Card {
    constructor(shown, row, place, places, parts) {
      Object.assign(this, { shown, row, id: `o${shown.id}`, text: shown.text, parts, places });
      this.locked = state.screen.closed;
      this.title = places > 1 ? T.say("translation.n", { n: String.fromCharCode(65 + place) }) : "";
      this.language = state.about.target_language;
      const waiting = T.queue.pending(state.screen.n, shown.id);
      this.answer = { ...(waiting ? waiting.answer : shown.answer) };
      T.queue.known(state.screen.n, shown.id, shown.version);
      this.part = parts.find((part) => part.part === "spans") || null;
      this.controls = [];
    }

    spans() { return this.answer.spans || []; }
    trace(...what) { T.queue.note(...what); }

    activate() {
      if (state.active === this) return;
      const before = state.active;
      state.active = this;
      for (const card of state.cards) if (card.element) card.element.classList.toggle("active", card === this && this.places > 1);
      // The source shows the marks of the active output. It is drawn anew only where those change: a click on it
      // would otherwise lose the word it began on.
      if (this.source && (before ? before.row === this.row : this.place > 0)) this.source.draw();
    }

    set(name, value) {
      if (value === null || value === undefined) delete this.answer[name];
      else this.answer[name] = value;
      this.changed();
    }

    changed() {
      const answer = JSON.parse(JSON.stringify(this.answer));
      T.queue.save(state.screen.n, this.shown.id, answer);
      this.element.classList.remove("lacks");
      state.warned = false;
      if (state.notice && !state.notice.dataset.stays) state.notice.hidden = true;
      tell();
    }

    addSpan(span) {
      this.answer.spans = [...this.spans(), span].sort((a, b) => SIDES.indexOf(a.side) - SIDES.indexOf(b.side) || a.start - b.start || a.end - b.end);
      this.changed();
      this.redraw();
      if (this.part.typology) this.focusSpan(this.answer.spans.indexOf(span), true);
    }

    addMissing() {
      const end = T.length(this.text);
      this.addSpan({ start: end, end, side: "missing", severity: this.part.severities.includes("major") ? "major" : this.part.severities[0], category: null, text: "", note: "" });
      T.announce(T.say("mark.missing_added"));
    }

    removeSpan(span, quiet) {
      this.answer.spans = this.spans().filter((one) => one !== span);
      this.changed();
      this.redraw();
      if (!quiet) { this.target.element.focus(); T.announce(T.say("mark.removed")); }
    }

    change(span, values, quiet) {
      Object.assign(span, values);
      this.changed();
      if (!quiet) {
        const focus = document.activeElement && document.activeElement.id;
        this.redraw();
        const again = focus && document.getElementById(focus);
        if (again) again.focus();
      }
    }

    focusSpan(number, category) {
      const control = document.getElementById(`${this.id}-span-${number}-${category ? "category" : "severity"}`);
      if (control) control.focus();
    }

    redraw(force) {
      if (this.target) this.target.draw();
      if (this.source) this.source.draw();
      if (this.list) { const list = T.spanList(this); this.list.replaceWith(list); this.list = list; }
      for (const control of this.controls) control.show(force);
    }

    /* Another tab, or another machine, was here. */
    take(answer, version) {
      this.answer = { ...answer };
      T.queue.known(state.screen.n, this.shown.id, version);
      this.redraw(true);
      tell();
    }

    draw() {
      const body = [];
      if (this.title || state.screen.rows[this.row].source !== null) body.push(E("h2", { class: "label" }, this.title || T.say("translation")));
      if (this.part) {
        this.target = new T.Text({ text: this.text, side: "target", label: this.title || T.say("translation"), language: this.language, marker: () => this, hint: "how-to-mark" });
        this.list = T.spanList(this);
        body.push(this.target.element, E("div", { class: "tools" },
          this.part.sides.includes("missing") ? E("button", { type: "button", class: "plain missing", disabled: this.locked, onclick: () => this.addMissing() }, `+ ${T.say("mark.add_missing")}`) : null), this.list);
      } else if (!this.parts.some((part) => part.part === "edit")) {
        body.push(E("div", { class: "text plain-text", dir: "auto", lang: this.language || null }, this.text || E("span", { class: "empty" }, T.say("text.empty"))));
      }
      for (const part of this.parts) {
        const make = { slider: T.slider, choice: T.choice, rank: T.rank, edit: T.edit }[part.part];
        if (!make || part.of_item) continue;
        const control = make(this, part, this.places);
        this.controls.push(control);
        body.push(control.element);
      }
      body.push(E("details", { class: "comment", open: Boolean(this.answer.comment) },
        E("summary", {}, T.say("comment")),
        E("textarea", { rows: "2", maxlength: "2000", "aria-label": T.say("comment.of", { title: this.title || T.say("translation") }), disabled: this.locked, value: this.answer.comment || "",
          oninput: (event) => this.set("comment", event.target.value || null) })));
      this.element = E("div", { class: "card", role: "group", id: this.id, "aria-label": this.title || T.say("translation"), onfocusin: () => this.activate() }, ...body);
      return this.element;
    }

    /* The same rules as the server's, so that what is missing is said at once. */
    missing() {
      for (const part of this.parts) {
        if (part.of_item && this.place > 0) continue;
        if (part.part === "spans") {
          for (const [number, span] of this.spans().entries()) {
            if (!span.severity) return `spans.${number}.severity`;
            if (part.typology) {
              const rule = part.typology.rules[span.category] || {};
              if (!span.category || (rule.side && rule.side !== span.side)) return `spans.${number}.category`;
              if (rule.note && !span.note.trim()) return `spans.${number}.note`;
            }
          }
          const score = this.answer.score;
          if (!this.spans().length && part.required_below !== null && score !== undefined && score < part.required_below) return "spans";
        } else if (part.part === "edit") {
          if (!this.answer.flag && this.answer.text === undefined) return "text";
          if (!this.answer.flag && !this.answer.text.trim()) return "text";
        } else if (this.answer[part.name] === undefined) return part.name;
      }
      return null;
    }

    advised() {
      return this.part && this.part.advised_below !== null && this.answer.score !== undefined && this.answer.score < this.part.advised_below && !this.spans().length;
    }

    show(field) {
      this.element.classList.add("lacks");
      const [name, number, detail] = field.split(".");
      let control;
      if (name === "spans" && number !== undefined) control = document.getElementById(`${this.id}-span-${number}-${detail}`);
      else if (name === "spans") control = this.target.element;
      if (control) control.focus();
      else {
        const at = this.parts.filter((part) => part.part !== "spans" && !part.of_item).findIndex((part) => part.name === name);
        const own = this.controls[at] || this.shared;
        if (own) own.focus();
      }
      document.activeElement.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    }
  }

  const header = () => {
    state.saved = E("span", { class: "saved", role: "status" });
    state.bar = E("progress", { max: "1", value: "0", "aria-label": T.say("progress") });
    state.count = E("span", { class: "count" });
    const dialog = E("dialog", { class: "instructions", "aria-label": T.say("instructions") },
      E("div", { class: "sheet" }, E("h2", {}, T.say("instructions")), ...T.markdown(state.about.instructions || T.say(`instructions.${state.about.protocol}`)),
        ...keys(), E("div", { class: "line" },
          E("button", { type: "button", class: "plain", onclick: () => print() }, T.say("print")),
          E("button", { type: "button", class: "primary", autofocus: true, onclick: () => dialog.close() }, T.say("close")))));
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    state.dialog = dialog;
    const dark = E("button", { type: "button", class: "plain", onclick: () => { theme.set(theme.next()); dark.textContent = T.say(`theme.${theme.get() || "auto"}`); } }, T.say(`theme.${theme.get() || "auto"}`));
    return [E("header", { class: "top" }, E("div", { class: "wide line" },
      E("span", { class: "title" }, state.about.title || "tertium"), E("span", { class: "progress" }, state.bar, state.count), state.saved,
      E("span", { class: "buttons" }, E("button", { type: "button", class: "plain", onclick: () => dialog.showModal() }, T.say("instructions")), dark))), dialog];
  };

  const keys = () => {
    const rows = [["Tab", "keys.tab"], ["Alt + N", "keys.next"], ["Alt + B", "keys.back"]];
    if (["esa", "esa-ai", "cesa", "mqm"].includes(state.about.protocol)) {
      rows.unshift(["← →", "keys.move"], ["Shift + ← →", "keys.extend"], ["1 2 …", "keys.severity"], ["Delete", "keys.delete"], ["O", "keys.missing"], ["C", "keys.characters"]);
    }
    return [E("h3", { class: "keyboard" }, T.say("keys")), E("dl", { class: "keys keyboard" }, ...rows.map(([key, words]) => E("div", {}, E("dt", {}, E("kbd", {}, key)), E("dd", {}, T.say(words)))))];
  };

  const progress = (shown) => {
    const { done, total } = shown.progress;
    state.bar.hidden = !total;
    if (total) { state.bar.max = total; state.bar.value = done; }
    state.count.textContent = total ? T.say("progress.of", { done, total }) : T.say("progress.done", { done });
  };

  const tell = () => {
    if (!state.hint) return;
    // What is asked once for outputs side by side is asked of the first.
    const asked = state.cards.filter((card) => card.place === 0 || card.parts.some((part) => !part.of_item));
    const open = asked.filter((card) => card.missing()).length;
    state.hint.textContent = open ? T.say("open", { open, all: asked.length }) : T.say("open.none");
    state.next.classList.toggle("ready", !open);
  };

  const row = (segment, number, parts, several) => {
    const cards = segment.outputs.map((shown, place) => {
      const card = new Card(shown, number, place, segment.outputs.length, parts);
      card.place = place;
      state.cards.push(card);
      return card;
    });
    const body = [];
    if (segment.instructions) body.push(E("div", { class: "advice" }, ...T.markdown(segment.instructions)));
    const left = [];
    if (segment.source !== null) {
      left.push(E("h2", { class: "label" }, T.say("source")));
      const marks = cards[0].part && cards[0].part.sides.includes("source");
      if (marks) {
        const source = new T.Text({ text: segment.source, side: "source", label: T.say("source"), language: state.about.source_language, hint: "how-to-mark",
          marker: () => (state.active && cards.includes(state.active) ? state.active : cards[0]) });
        for (const card of cards) card.source = source;
        left.push(source.element);
      } else left.push(E("div", { class: "text plain-text", dir: "auto", lang: state.about.source_language || null }, segment.source));
    }
    if (segment.reference !== null) {
      left.push(E("h2", { class: "label" }, T.say("reference")), E("div", { class: "text plain-text reference", dir: "auto", lang: state.about.target_language || null }, segment.reference));
    }
    const outputs = E("div", { class: "outputs" }, ...cards.map((card) => card.draw()));
    for (const part of parts.filter((one) => one.of_item)) {
      const control = T.choice(cards[0], part);
      cards[0].shared = control;
      for (const card of cards) card.controls.push({ show: control.show, focus: control.focus });
      outputs.append(E("div", { class: "shared" }, control.element));
    }
    body.push(E("div", { class: `pair columns-${cards.length}` }, left.length ? E("div", { class: "left" }, ...left) : null, outputs));
    return E("article", { class: "row", "aria-label": T.say("segment", { n: number + 1 }) }, several ? E("span", { class: "number", "aria-hidden": "true" }, String(number + 1)) : null, ...body);
  };

  const draw = (shown) => {
    T.bar.close();
    state.screen = shown;
    state.cards = [];
    state.active = null;
    state.warned = false;
    T.queue.note("open");
    progress(shown);
    if (shown.finished) return finish(shown);
    const heading = E("h1", { tabindex: "-1" }, T.say("screen", { n: shown.n }) + (shown.of_parts > 1 ? ` · ${T.say("part", { n: shown.part, of: shown.of_parts })}` : "")
      + (shown.phases > 1 ? ` · ${T.say("step", { n: shown.phase + 1, of: shown.phases })}` : ""));
    const lead = E("p", { class: "lead" }, T.say(`lead.${state.about.protocol}${shown.phases > 1 ? "." + (shown.phase + 1) : ""}`));
    state.notice = E("div", { class: "notice", role: "alert", hidden: true });
    state.hint = E("span", { class: "hint", role: "status" });
    state.next = E("button", { type: "button", class: "primary", "aria-keyshortcuts": "Alt+N", onclick: next }, shown.phase + 1 < shown.phases ? T.say("continue") : T.say("next"));
    const back = E("button", { type: "button", class: "plain", "aria-keyshortcuts": "Alt+B", disabled: shown.n === 1 || !state.about.return, onclick: () => go(shown.n - 1) }, T.say("back"));
    const marks = shown.parts.some((part) => part.part === "spans");
    const before = shown.before.length ? E("details", { class: "before" }, E("summary", {}, T.say("before", { count: shown.before.length })),
      ...shown.before.map((one) => E("div", { class: "pair columns-1" },
        one.source !== null ? E("div", { class: "text plain-text", dir: "auto" }, one.source) : null,
        ...one.outputs.map((text) => E("div", { class: "text plain-text", dir: "auto" }, text))))) : null;
    const toggle = marks ? E("button", { type: "button", class: "plain", "aria-pressed": "false", onclick: () => {
      const on = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(on));
      for (const text of new Set(state.cards.flatMap((card) => [card.target, card.source])))
        if (text) { text.byCharacter = on; text.cut(); }
    } }, T.say("mark.characters")) : null;
    const main = E("main", { class: "wide" }, heading, E("div", { class: "intro" }, lead, toggle),
      marks ? E("p", { class: "unseen", id: "how-to-mark" }, T.say("mark.how")) : null,
      shown.closed ? E("p", { class: "notice" }, T.say("closed")) : null, before,
      ...shown.rows.map((segment, number) => row(segment, number, shown.parts, shown.rows.length > 1)), state.notice);
    const footer = E("footer", { class: "bottom" }, E("div", { class: "wide line" }, back, state.hint, state.next));
    state.stage.replaceChildren(main, footer);
    document.title = `${T.say("screen", { n: shown.n })} · ${state.about.title || "tertium"}`;
    tell();
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
    fetchAhead(shown);
  };

  const finish = (shown) => {
    const minutes = Math.max(1, Math.round(shown.progress.active_ms / 60000));
    const code = shown.code ? E("div", { class: "code" }, E("span", {}, T.say("end.code")), E("output", {}, shown.code),
      E("button", { type: "button", class: "plain", onclick: async (event) => {
        try { await navigator.clipboard.writeText(shown.code); event.target.textContent = T.say("copied"); } catch { getSelection().selectAllChildren(event.target.previousSibling); }
      } }, T.say("copy"))) : null;
    const heading = E("h1", { tabindex: "-1" }, shown.progress.done ? T.say("end.title") : T.say("end.nothing"));
    state.stage.replaceChildren(E("main", { class: "wide end" },
      E("div", { class: "tick", "aria-hidden": "true" }, "✓"), heading,
      E("p", {}, T.say(shown.closed ? "closed" : T.result ? "end.offline" : "end.text")),
      ...(T.result ? [T.result()] : []),
      shown.progress.done ? E("p", { class: "faint" }, T.say("end.done", { done: shown.progress.done, minutes })) : null, code,
      shown.progress.done && state.about.return && !shown.closed ? E("p", {}, E("button", { type: "button", class: "plain", onclick: () => go(shown.progress.given) }, T.say("end.back"))) : null));
    state.hint = null;
    document.title = `${T.say("end.title")} · ${state.about.title || "tertium"}`;
    heading.focus({ preventScroll: true });
  };

  const say = (text, buttons) => {
    state.notice.replaceChildren(E("span", {}, text), ...(buttons || []));
    if (buttons) state.notice.dataset.stays = ""; else delete state.notice.dataset.stays;
    state.notice.classList.remove("good");
    state.notice.hidden = false;
  };

  const fetchAhead = async (shown) => {
    state.ahead.clear();
    for (let n = shown.n + 1; n <= Math.min(shown.n + 2, shown.progress.given); n++) {
      try { state.ahead.set(n, await T.transport.screen(n)); } catch { return; }
    }
  };

  const go = async (n) => {
    await Promise.race([T.queue.flush(), new Promise((resolve) => setTimeout(resolve, 3000))]);
    try { draw(await T.transport.screen(n)); }
    catch { if (n && state.ahead.has(n)) draw(state.ahead.get(n)); else if (state.notice) say(T.say("offline.wait")); }
  };

  const next = async () => {
    state.notice.hidden = true;
    for (const card of state.cards) {
      const field = card.missing();
      if (!field) continue;
      card.show(field);
      say(T.say(field === "spans" ? "lacks.spans" : `lacks.${field.split(".").pop()}`, { title: card.title || T.say("translation"), n: card.row + 1 }));
      return;
    }
    const bare = state.cards.find((card) => card.advised());
    if (bare && !state.warned) {
      state.warned = true;
      bare.element.classList.add("lacks");
      bare.target.element.scrollIntoView({ block: "center" });
      say(T.say("advised.spans", { title: bare.title || T.say("translation"), score: bare.answer.score }));
      return;
    }
    // Spans filled in beforehand and left as they are were looked at too: they are sent with the rest.
    const here = state.screen;
    if (here.closed) { await go(here.n < here.progress.given ? here.n + 1 : undefined); return; }
    state.next.disabled = true;
    const entry = T.queue.done(here.n);
    const arrived = await T.queue.flush();
    state.next.disabled = false;
    if (!arrived) {
      const ahead = state.ahead.get(here.n + 1);
      if (ahead && here.phase + 1 === here.phases) { ahead.progress = { ...ahead.progress, done: ahead.progress.done + 1 }; draw(ahead); }
      else say(T.say("offline.wait"));
      return;
    }
    const result = entry.result || {};
    if (result.status === "incomplete") {
      for (const one of result.missing) {
        const card = state.cards.find((own) => own.shown.id === one.output);
        if (card) { card.show(one.field); say(T.say("lacks.any")); return; }
      }
      return;
    }
    if (result.status === "refused") return;
    if (result.feedback) { feedback(result); return; }
    await go(result.next || undefined);
  };

  const feedback = (result) => {
    const met = result.feedback.every((one) => one.met);
    say(T.say(met ? "tutorial.met" : "tutorial.missed"), [
      ...[...new Set(result.feedback.filter((one) => met || !one.met).map((one) => one.words))].map((words) => E("p", {}, words)),
      E("button", { type: "button", class: "primary", onclick: () => go(result.next || undefined) }, T.say("continue"))]);
    state.notice.classList.toggle("good", met);
    state.notice.querySelector("button").focus();
  };

  const saved = (what) => {
    state.saved.dataset.state = what;
    state.saved.textContent = T.say(`saved.${what}`);
  };

  T.queue.listeners.state = (what) => { if (state.saved) saved(what); };
  T.queue.listeners.refused = (entry, why) => { if (state.notice) say(T.say("refused", { why })); };
  T.queue.listeners.saved = (entry, version) => { if (channel) channel.postMessage({ screen: entry.screen, output: entry.output, answer: entry.answer, version }); };
  T.queue.listeners.conflict = (entry, current) => {
    const card = state.screen && state.screen.n === entry.screen && state.cards.find((one) => one.shown.id === entry.output);
    if (!card) return; // the other version holds; this one is in the server's log
    const mine = entry.answer;
    card.take(current.answer, current.version);
    const box = E("div", { class: "notice conflict", role: "alert" }, E("span", {}, T.say("conflict")),
      E("button", { type: "button", class: "plain", onclick: () => { box.remove(); } }, T.say("conflict.theirs")),
      E("button", { type: "button", class: "primary", onclick: () => { box.remove(); card.answer = { ...mine }; card.redraw(true); card.changed(); } }, T.say("conflict.mine")));
    card.element.prepend(box);
  };

  const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(`tertium:${location.pathname}`) : null;
  if (channel) {
    channel.onmessage = ({ data }) => {
      if (!state.screen || state.screen.n !== data.screen || T.queue.pending(data.screen, data.output)) return;
      const card = state.cards.find((one) => one.shown.id === data.output);
      if (card && (T.queue.versions.get(`${data.screen}/${data.output}`) || 0) < data.version) card.take(data.answer, data.version);
    };
  }

  addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || !state.next) return;
    if (event.code === "KeyN") { event.preventDefault(); next(); }
    else if (event.code === "KeyB" && state.screen.n > 1 && state.about.return) { event.preventDefault(); go(state.screen.n - 1); }
  });
  document.addEventListener("pointerdown", (event) => {
    if (T.bar.text && !T.bar.element.contains(event.target) && !event.target.closest(".text")) { const text = T.bar.text; T.bar.close(); text.clear(); }
  });

  T.start = async () => {
    try {
      state.about = await T.transport.about();
      T.words = state.about.words;
      document.documentElement.lang = state.about.language;
      state.stage = E("div", { class: "stage" });
      app.replaceChildren(...header(), state.stage, T.bar.element, live);
      T.queue.restore();
      if (T.queue.entries.length) await T.queue.flush();
      draw(await T.transport.screen());
      if (state.screen.progress.done === 0 && state.screen.n === 1 && !state.screen.finished) state.dialog.showModal();
      saved(T.queue.entries.length ? "offline" : "saved");
    } catch (error) {
      app.replaceChildren(E("main", { class: "wide end" }, E("h1", {}, error.gone ? "404" : T.say("offline.start")), E("p", {}, String(error.message))));
      if (!error.gone) setTimeout(T.start, 5000);
    }
    document.documentElement.dataset.ready = "";
  };
  T.start();
})(tertium);
