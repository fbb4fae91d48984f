// The reader chooses whose clouds are shown; without scripts all of them are.
(() => {
  const choice = document.getElementById("metric");
  const blocks = document.querySelectorAll("[data-metric]");
  function show() {
    for (const block of blocks) block.hidden = choice.value !== "all" && block.dataset.metric !== choice.value;
  }
  if (choice) {
    choice.addEventListener("change", show);
    show();
  }
  document.documentElement.dataset.ready = "true";
})();
