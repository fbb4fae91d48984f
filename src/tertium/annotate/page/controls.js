/* Scores, choices and ranks. Everything starts unset; 0 is as easy to reach as any other value. */
"use strict";
(function (T) {
  const E = T.element;

  T.slider = (card, part) => {
    const id = `${card.id}-${part.name}`;
    const middle = (part.low + part.high) / 2;
    const range = E("input", {
      type: "range", id, min: String(part.low), max: String(part.high), step: String(part.step), disabled: card.locked,
      "aria-label": T.say("score.of", { title: card.title || T.say("translation") }),
    });
    const number = E("input", {
      type: "text", inputmode: "numeric", class: "number", maxlength: "6", autocomplete: "off", disabled: card.locked,
      "aria-label": T.say("score.number", { title: card.title || T.say("translation"), low: part.low, high: part.shown_high || part.high }),
      placeholder: "–",
    });
    const band = E("span", { class: "band" });
    // The page may show another scale than is stored: SQM's 0 to 6 are 0 to 100.
    const highest = part.shown_high || part.high;
    const factor = highest / part.high;
    const told = (value) => String(Math.round(value * factor * 10) / 10);
    const box = E("div", { class: "score", "data-field": part.name },
      E("span", { class: "name", "aria-hidden": "true" }, T.say("score")), range, number, E("span", { class: "out-of", "aria-hidden": "true" }, `/ ${highest}`),
      part.bands.length ? band : null);
    if (part.anchors.length) {
      box.append(E("ul", { class: "anchors" }, ...part.anchors.map(([value, key]) => {
        const entry = E("li", {}, E("b", {}, String(Math.round(value * factor))), " ", T.say(key));
        entry.style.setProperty("--at", String((value - part.low) / (part.high - part.low)));
        return entry;
      })));
    }
    const show = (force) => {
      const value = card.answer[part.name];
      const set = value !== undefined && value !== null;
      box.classList.toggle("unset", !set);
      range.value = String(set ? value : middle);
      if (force || document.activeElement !== number) number.value = set ? told(value) : "";
      const words = set ? part.bands.filter(([from]) => value >= from).pop() : null;
      band.textContent = words ? T.say(words[1]) : T.say("score.unset");
      range.setAttribute("aria-valuetext", set ? `${told(value)}${words ? ", " + T.say(words[1]) : ""}` : T.say("score.unset"));
      range.style.setProperty("--filled", set ? `${(100 * (value - part.low)) / (part.high - part.low)}%` : "0%");
    };
    const set = (value) => {
      card.set(part.name, value);
      show();
    };
    range.addEventListener("input", () => set(Number(range.value)));
    // A click on the spot where the thumb waits changes nothing for the browser, but says something to us.
    range.addEventListener("click", () => set(Number(range.value)));
    range.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { set(Number(range.value)); event.preventDefault(); }
    });
    number.addEventListener("input", () => {
      const text = number.value.trim().replace(",", ".");
      const value = factor === 1 ? Number(text) : Math.round(Number(text) / factor);
      const steps = (value - part.low) / part.step;
      const fits = text !== "" && Number.isFinite(value) && value >= part.low && value <= part.high && Math.abs(steps - Math.round(steps)) < 1e-6;
      number.setAttribute("aria-invalid", String(text !== "" && !fits));
      if (fits) set(value);
      else if (text === "") set(null);
    });
    number.addEventListener("blur", () => {
      // Only what was typed and does not fit is put right here.
      const value = Number(number.value.trim().replace(",", ".")) / factor;
      if (number.getAttribute("aria-invalid") === "true" && Number.isFinite(value)) {
        const inside = Math.max(part.low, Math.min(part.high, value));
        set(part.low + Math.round((inside - part.low) / part.step) * part.step);
      }
      number.removeAttribute("aria-invalid");
      show();
    });
    show();
    return { element: box, show, focus: () => range.focus() };
  };

  /* Radio buttons: arrow keys move, and a digit chooses what begins with it, or else the first, second … */
  const radios = (card, part, options, legend, kind) => {
    const name = `${card.id}-${part.name}`;
    const inputs = options.map(([value, words]) => {
      const input = E("input", {
        type: "radio", name, value: String(value), disabled: card.locked, onchange: () => card.set(part.name, value),
      });
      return { value, input, label: E("label", { class: "option" }, input, words) };
    });
    const numbered = kind !== "preference";
    const box = E("fieldset", { class: `choice ${kind}`, "data-field": part.name },
      E("legend", {}, legend), E("div", { class: "options" }, ...inputs.map((one) => one.label)));
    const show = () => {
      for (const one of inputs) one.input.checked = card.answer[part.name] === one.value;
      box.classList.toggle("unset", card.answer[part.name] === undefined);
    };
    box.addEventListener("keydown", (event) => {
      if (!/^[0-9]$/.test(event.key)) return;
      const one = numbered ? inputs.find((own) => own.value === Number(event.key)) : inputs[Number(event.key) - 1];
      if (one && !event.ctrlKey && !event.altKey && !event.metaKey && !one.input.disabled) {
        one.input.checked = true;
        one.input.focus();
        card.set(part.name, one.value);
      }
    });
    show();
    return { element: box, show, focus: () => (inputs.find((one) => one.input.checked) || inputs[0]).input.focus() };
  };

  T.choice = (card, part) => radios(card, part, part.options.map(([value, key]) => [value,
    part.name === "preference" ? T.say(key) : [E("b", {}, String(value)), ` ${T.say(key)}`]]), T.say(`${part.name}.question`), part.name);

  T.rank = (card, part, places) => radios(card, part,
    Array.from({ length: places }, (_, i) => [i + 1, String(i + 1)]),
    T.say("rank.question", { title: card.title || T.say("translation") }), "rank");
})(tertium);
