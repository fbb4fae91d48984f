/* Post-editing: the text in place, the changed words shown as they change, keystrokes counted by class. */
"use strict";
(function (T) {
  const E = T.element;
  const CLASSES = { deleteContentBackward: "erase", deleteContentForward: "erase", deleteWordBackward: "erase",
    deleteWordForward: "erase", deleteByCut: "cut", insertFromPaste: "paste", historyUndo: "undo", historyRedo: "undo" };
  const words = (text) => text.trim().split(/\s+/u).filter(Boolean);

  /* The fewest words to insert, delete and replace, and which ones. */
  T.wordEdits = (before, after) => {
    const [a, b] = [words(before), words(after)];
    const table = Array.from({ length: a.length + 1 }, (_, i) => [i]);
    for (let j = 1; j <= b.length; j++) table[0][j] = j;
    for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) {
      table[i][j] = Math.min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    const steps = [];
    let [i, j] = [a.length, b.length];
    while (i || j) {
      if (i && j && table[i][j] === table[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)) {
        steps.push(a[i - 1] === b[j - 1] ? ["same", a[i - 1]] : ["replaced", a[i - 1], b[j - 1]]); i--; j--;
      } else if (i && table[i][j] === table[i - 1][j] + 1) steps.push(["deleted", a[--i]]);
      else steps.push(["inserted", b[--j]]);
    }
    return { count: table[a.length][b.length], steps: steps.reverse() };
  };

  T.edit = (card, part) => {
    const area = E("textarea", {
      id: `${card.id}-text`, rows: "3", dir: "auto", lang: card.language || null, disabled: card.locked, maxlength: "20000",
      spellcheck: "true", "aria-label": T.say("edit.label", { title: card.title || T.say("translation") }),
    });
    area.value = card.answer.text === undefined ? card.text : card.answer.text;
    const count = E("span", { class: "count", role: "status" });
    const changes = E("p", { class: "changes", dir: "auto", lang: card.language || null });
    const flags = part.flags.map((flag) => {
      const button = E("button", { type: "button", class: "flag", disabled: card.locked, onclick: () => {
        const on = card.answer.flag === flag;
        if (!on && flag === "unchanged") { area.value = card.text; card.answer.text = card.text; }
        card.set("flag", on ? null : flag);
        show();
      } }, T.say(`edit.${flag}`));
      return { flag, button };
    });
    const box = E("div", { class: "edit", "data-field": "text" }, area,
      E("div", { class: "line" }, ...flags.map((one) => one.button), count), changes);
    const grow = () => { area.style.height = "auto"; area.style.height = `${area.scrollHeight + 2}px`; };
    const show = () => {
      const { count: edits, steps } = T.wordEdits(card.text, area.value);
      count.textContent = T.say("edit.count", { count: edits });
      changes.replaceChildren(...steps.flatMap(([kind, one, two]) => kind === "same" ? [one, " "]
        : kind === "replaced" ? [E("del", {}, one), " ", E("ins", {}, two), " "] : [E(kind === "deleted" ? "del" : "ins", {}, one), " "]));
      changes.hidden = !edits;
      for (const { flag, button } of flags) button.setAttribute("aria-pressed", String(card.answer.flag === flag));
      area.readOnly = card.answer.flag === "discarded";
      grow();
    };
    area.addEventListener("keydown", (event) => {
      const kind = /^(Arrow|Home|End|Page)/.test(event.key) ? "navigation" : event.key === "Backspace" || event.key === "Delete" ? "erase"
        : event.key.length > 1 ? null : /\p{L}|\p{M}/u.test(event.key) ? "letter" : /\p{N}/u.test(event.key) ? "digit" : /\s/u.test(event.key) ? "white" : "symbol";
      if (kind && !event.ctrlKey && !event.metaKey) count_(kind);
    });
    const count_ = (kind) => { card.answer.keys = { ...(card.answer.keys || {}), [kind]: ((card.answer.keys || {})[kind] || 0) + 1 }; };
    area.addEventListener("copy", () => count_("copy"));
    area.addEventListener("beforeinput", (event) => {
      const kind = CLASSES[event.inputType];
      if (kind && kind !== "erase") count_(kind);
      const removed = T.length(area.value.slice(area.selectionStart, area.selectionEnd));
      card.trace("edit", T.codePoints(area.value, area.selectionStart), removed, (event.data || "").slice(0, 200));
    });
    area.addEventListener("input", () => {
      if (card.answer.flag === "unchanged") card.answer.flag = undefined;
      card.set("text", area.value);
      show();
    });
    requestAnimationFrame(grow);
    show();
    return { element: box, focus: () => area.focus(),
      show: (force) => { if (force || document.activeElement !== area) area.value = card.answer.text === undefined ? card.text : card.answer.text; show(); } };
  };
})(tertium);
