/* Saves on their way to the server.

   Every change is kept in the browser first and sent after a moment; what cannot be sent waits, also for tomorrow. A
   save has an id of its own, so that sending it twice does it once, and the version it was made from, so that two
   tabs cannot overwrite each other unseen. */
"use strict";
(function (T) {
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
  T.session = random();
  const place = () => `tertium:${location.pathname}:`;
  const store = {
    all() {
      const found = [];
      try {
        for (let i = 0; i < localStorage.length; i++) {
          const key = localStorage.key(i);
          if (key.startsWith(place())) found.push(JSON.parse(localStorage.getItem(key)));
        }
      } catch { /* no storage: what waits is in memory alone */ }
      return found.sort((a, b) => a.order - b.order);
    },
    put(entry) { try { localStorage.setItem(place() + entry.id, JSON.stringify(entry)); } catch { T.onlyMemory = true; } },
    drop(entry) { try { localStorage.removeItem(place() + entry.id); } catch { /* as above */ } },
  };

  const queue = (T.queue = { entries: [], sending: null, versions: new Map(), trace: [], listeners: { state() {}, conflict() {}, saved() {}, refused() {} } });
  const key = (entry) => `${entry.screen}/${entry.output}`;
  let order = Date.now();
  let timer = null;
  let wait = 1000;

  queue.restore = () => { queue.entries = store.all(); if (queue.entries.length) queue.soon(0); };

  queue.known = (screen, output, version) => queue.versions.set(`${screen}/${output}`, version);

  queue.pending = (screen, output) => queue.entries.filter((one) => one.kind === "save" && one.screen === screen && one.output === output).pop();

  queue.save = (screen, output, answer) => {
    const waiting = queue.pending(screen, output);
    if (waiting && !waiting.sent) { waiting.answer = answer; waiting.trace = waiting.trace.concat(queue.trace.splice(0)).slice(-390); store.put(waiting); }
    else {
      const entry = { kind: "save", id: random(), order: order++, session: T.session, screen, output, answer, sent: false,
        base: queue.versions.get(`${screen}/${output}`) || 0, trace: queue.trace.splice(0).slice(-390) };
      queue.entries.push(entry);
      store.put(entry);
    }
    queue.listeners.state("waiting");
    queue.soon(800);
  };

  queue.done = (screen) => {
    const entry = { kind: "done", id: random(), order: order++, session: T.session, screen, sent: false, trace: queue.trace.splice(0).slice(-390) };
    queue.entries.push(entry);
    store.put(entry);
    return entry;
  };

  queue.soon = (delay) => { clearTimeout(timer); timer = setTimeout(() => queue.flush(), delay); };

  const forget = (entry) => { queue.entries = queue.entries.filter((one) => one.id !== entry.id); store.drop(entry); };

  /* Send what waits, in order; returns whether all of it arrived. */
  queue.flush = async () => {
    if (queue.sending) { await queue.sending; if (!queue.entries.length) return true; }
    queue.sending = send();
    const fine = await queue.sending;
    queue.sending = null;
    return fine;
  };

  const send = async () => {
    while (queue.entries.length) {
      queue.listeners.state("sending");
      const first = queue.entries[0];
      try {
        if (first.kind === "done") {
          first.sent = true;
          const result = await T.transport.done({ id: first.id, screen: first.screen, session: first.session, trace: first.trace });
          forget(first);
          first.result = result;
        } else {
          const seen = new Set();
          const batch = [];
          let size = 0;
          for (const entry of queue.entries) {
            if (entry.kind !== "save" || seen.has(key(entry)) || batch.length === 40) break;
            size += JSON.stringify(entry).length;
            if (batch.length && size > 150000) break;
            seen.add(key(entry));
            if (!entry.sent && queue.versions.has(key(entry))) entry.base = queue.versions.get(key(entry));
            entry.sent = true;
            store.put(entry);
            batch.push(entry);
          }
          const results = await T.transport.save(batch.map(({ id, screen, output, answer, base, session, trace }) => ({ id, screen, output, answer, base, session, trace })));
          results.forEach((result, i) => settle(batch[i], result));
        }
        wait = 1000;
      } catch (error) {
        if (error.refused) { forget(first); first.result = { status: "refused" }; queue.listeners.refused(first, error.message); continue; }
        if (error.gone) { queue.listeners.state("gone"); return false; }
        queue.listeners.state("offline");
        queue.soon(wait);
        wait = Math.min(wait * 2, 30000);
        return false;
      }
    }
    queue.listeners.state("saved");
    return true;
  };

  const settle = (entry, result) => {
    forget(entry);
    if (result.status === "saved") {
      queue.versions.set(key(entry), result.version);
      queue.listeners.saved(entry, result.version);
    } else if (result.status === "known") {
      queue.versions.set(key(entry), result.version);
    } else if (result.status === "conflict") {
      queue.versions.set(key(entry), result.version);
      queue.listeners.conflict(entry, result);
    } else queue.listeners.refused(entry, result.why);
  };

  const started = performance.now();
  queue.note = (what, ...rest) => {
    const at = Math.round(performance.now() - started);
    const last = queue.trace[queue.trace.length - 1];
    if (what === "act" && last && last[1] === "act" && at - last[0] < 5000) return;
    queue.trace.push([at, what, ...rest]);
  };
  for (const name of ["keydown", "pointerdown", "wheel", "touchmove", "pointermove"]) addEventListener(name, () => queue.note("act"), { passive: true });
  document.addEventListener("visibilitychange", () => queue.note(document.hidden ? "hide" : "show"));
  addEventListener("pagehide", () => queue.flush());
  addEventListener("online", () => { wait = 1000; queue.soon(0); });

  /* To and from the server. A page without one puts its own in this place. */
  const call = async (path, body) => {
    const options = body === undefined ? {} : {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
      keepalive: JSON.stringify(body).length < 60000,
    };
    const response = await fetch(path, { cache: "no-store", credentials: "omit", ...options });
    if (response.status === 404) throw Object.assign(new Error("gone"), { gone: true });
    if (response.status >= 400 && response.status < 500 && response.status !== 429) {
      const said = await response.json().catch(() => ({}));
      throw Object.assign(new Error(said.error || response.statusText), { refused: true });
    }
    if (!response.ok) throw new Error(String(response.status));
    return response.json();
  };
  T.transport = T.transport || {
    about: () => call("about"),
    screen: (n) => call(n ? `screen?n=${n}` : "screen"),
    save: async (saves) => (await call("save", { saves })).saves,
    done: (body) => call("done", body),
  };
})(tertium);
