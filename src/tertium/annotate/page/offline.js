/* The page without a server: the task is in the file, answers stay in this browser, and a result file is handed back. */
"use strict";
(function (T) {
  const E = T.element;
  const task = JSON.parse(document.getElementById("task").textContent);
  const place = `tertium-page:${task.study}:${task.person}`;
  let state = { answers: {}, done: {}, phase: {} };
  try { state = JSON.parse(localStorage.getItem(place)) || state; } catch { /* nothing kept yet, or nowhere to keep it */ }
  const keep = () => { try { localStorage.setItem(place, JSON.stringify(state)); } catch { /* the result file is the only copy */ } };
  const total = task.screens.length;
  const progress = () => ({ done: Object.keys(state.done).length, given: total, total, active_ms: 0 });

  const shown = (n) => {
    const phase = state.phase[n] || 0;
    const screen = task.screens[n - 1];
    return { ...screen, n, phase, phases: task.phases.length, parts: task.phases[phase].parts, progress: progress(), done: n in state.done, closed: false,
      before: screen.before.map((one) => ({ ...one, source: task.phases[phase].source ? one.source : null })),
      rows: screen.rows.map((row) => ({ ...row, source: task.phases[phase].source ? row.source : null, reference: task.phases[phase].reference ? row.reference : null,
        outputs: row.outputs.map((output) => { const own = state.answers[`${n}/${output.id}`]; return { ...output, answer: own ? own.answer : output.answer, version: own ? own.version : 0 }; }) })) };
  };

  T.transport = {
    about: async () => task.about,
    screen: async (n) => {
      const open = n || task.screens.findIndex((_, i) => !(i + 1 in state.done)) + 1;
      return open ? shown(open) : { finished: true, closed: false, progress: progress(), code: null };
    },
    save: async (saves) => saves.map((save) => {
      const key = `${save.screen}/${save.output}`;
      const version = (state.answers[key] ? state.answers[key].version : 0) + 1;
      const trace = ((state.answers[key] || {}).trace || []).concat(save.trace).slice(-390);
      state.answers[key] = { id: save.id, screen: save.screen, output: save.output, answer: save.answer, session: save.session, trace, version };
      keep();
      return { id: save.id, status: "saved", version };
    }),
    done: async ({ screen }) => {
      const phase = state.phase[screen] || 0;
      if (phase + 1 < task.phases.length) { state.phase[screen] = phase + 1; keep(); return { status: "phase", next: screen }; }
      state.done[screen] = true;
      keep();
      const next = task.screens.findIndex((_, i) => !(i + 1 in state.done)) + 1;
      return { status: "done", next: next || null };
    },
  };

  T.result = () => {
    const hand = () => {
      const result = { format: "tertium-result 1", study: task.study, person: task.person, answers: Object.values(state.answers), done: Object.keys(state.done).map(Number) };
      const link = E("a", { href: URL.createObjectURL(new Blob([JSON.stringify(result)], { type: "application/json" })), download: `${task.person}.result.json` });
      document.body.append(link);
      link.click();
      link.remove();
    };
    return E("p", {}, E("button", { type: "button", class: "primary", onclick: hand }, T.say("result")));
  };
})(tertium);
