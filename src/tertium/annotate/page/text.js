/* Text as people see it: user-visible characters and words, and offsets in code points.
   JavaScript counts UTF-16 units, the study counts code points; an emoji is two of the first and one of the second. */
"use strict";
var tertium = {};
(function (T) {
  const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]|[\ud840-\ud8ff][\udc00-\udfff]/g;

  T.codePoints = (text, unit) => Array.from(text.slice(0, unit)).length;

  T.units = (text, point) => {
    let unit = 0;
    for (const character of text) {
      if (point-- <= 0) break;
      unit += character.length;
    }
    return unit;
  };

  T.length = (text) => Array.from(text).length;

  const segmented = (text, granularity, language) => {
    if (!Intl.Segmenter) return null;
    let segmenter;
    try { segmenter = new Intl.Segmenter(language || undefined, { granularity }); }
    catch { segmenter = new Intl.Segmenter(undefined, { granularity }); }
    return Array.from(segmenter.segment(text), (one) => one.segment);
  };

  /* What a reader calls a character: a family of emoji, a letter with its marks, an Indic cluster. */
  T.graphemes = (text, language) => segmented(text, "grapheme", language) || text.match(/\P{M}\p{M}*/gsu) || [];

  /* Pieces that can be marked: words or characters. Blanks stand between pieces and belong to none. */
  T.pieces = (text, byCharacter, language) => {
    const edges = new Set([0]);
    let at = 0;
    for (const cluster of T.graphemes(text, language)) edges.add((at += cluster.length));
    let parts = byCharacter ? T.graphemes(text, language) : segmented(text, "word", language) || text.split(/(\s+)/u);
    const found = [];
    at = 0;
    let start = 0;
    for (const part of parts) {
      at += part.length;
      if (!edges.has(at)) continue; // a boundary inside a character is none
      found.push({ start, end: at, blank: !text.slice(start, at).trim() });
      start = at;
    }
    if (start < text.length) found.push({ start, end: text.length, blank: !text.slice(start).trim() });
    return byCharacter ? found : joined(found, text);
  };

  /* "don’t" and "e-mail" are one word to a reader, so pieces that touch without a blank and are joined by ’ or - are. */
  const joined = (pieces, text) => {
    const found = [];
    for (const piece of pieces) {
      const last = found[found.length - 1];
      const word = (one) => /[\p{L}\p{N}]/u.test(text.slice(one.start, one.end));
      if (last && !piece.blank && last.glue && word(piece)) { last.end = piece.end; last.glue = false; continue; }
      if (last && !last.blank && word(last) && /^['’‐-]$/u.test(text.slice(piece.start, piece.end))
          && /[\p{L}\p{N}]/u.test(text.slice(piece.end, piece.end + 2))) { last.end = piece.end; last.glue = true; continue; }
      found.push({ ...piece });
    }
    return found;
  };

  T.mostlyUnspaced = (text) => 2 * (text.match(unspaced) || []).length > T.length(text);

  T.words = {};
  T.say = (key, values) => {
    let text = T.words[key] === undefined ? key : T.words[key];
    for (const [name, value] of Object.entries(values || {})) text = text.split(`{${name}}`).join(String(value));
    return text;
  };

  /* The one way elements are made: attributes and text, never markup. */
  T.element = (name, attributes, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (key === "class") element.className = value;
      else if (key in element && typeof value !== "string") element[key] = value;
      else element.setAttribute(key, value === true ? "" : value);
    }
    for (const child of children.flat()) if (child !== null && child !== undefined) element.append(child);
    return element;
  };

  /* Instructions: headings, lists, paragraphs and bold of Markdown; everything else is shown as it stands. */
  T.markdown = (text) => {
    const E = T.element;
    const inline = (line) => line.split(/(\*\*[^*]+\*\*)/).map((part) =>
      part.startsWith("**") && part.endsWith("**") && part.length > 4 ? E("strong", {}, part.slice(2, -2)) : part);
    const found = [];
    let list = null;
    for (const block of text.replace(/\r\n?/g, "\n").split(/\n/)) {
      const line = block.trim();
      const item = line.match(/^([-*]|\d+[.)])\s+(.*)$/);
      if (item) {
        const kind = /\d/.test(item[1]) ? "ol" : "ul";
        if (!list || list.localName !== kind) found.push((list = E(kind)));
        list.append(E("li", {}, inline(item[2])));
        continue;
      }
      list = null;
      if (!line) continue;
      const heading = line.match(/^#{1,4}\s+(.*)$/);
      found.push(heading ? E("h3", {}, inline(heading[1])) : E("p", {}, inline(line)));
    }
    return found;
  };
})(tertium);
