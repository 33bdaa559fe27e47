"use strict";
/* Search over programs, households, dialogs and documents; the filter of the list of programs. */
(function () {
  const root = document.body.dataset.root;
  const words = document.getElementById("words"), hits = document.getElementById("hits");
  const entries = (window.FOUND || []).map(([kind, title, address, more]) =>
    ({ kind, title, address, text: `${title} ${more}`.toLowerCase() }));

  function search() {
    const asked = words.value.toLowerCase().split(/\s+/).filter(word => word);
    hits.replaceChildren();
    if (!asked.length) return;
    const score = entry => asked.filter(word => entry.title.toLowerCase().includes(word)).length;
    const found = entries.filter(entry => asked.every(word => entry.text.includes(word)))
      .sort((one, other) => score(other) - score(one)).slice(0, 20);
    for (const entry of found) {
      const link = Object.assign(document.createElement("a"), { href: root + entry.address });
      link.textContent = `${entry.title} (${entry.kind})`;
      hits.append(Object.assign(document.createElement("li"), {}));
      hits.lastChild.append(link);
    }
    if (!found.length) hits.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  }
  words.addEventListener("input", search);
  document.getElementById("search").addEventListener("submit", event => {
    event.preventDefault();
    hits.querySelector("a")?.click();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") hits.replaceChildren();
  });

  const filter = document.getElementById("filter");
  if (!filter) return;
  const lines = [...document.querySelectorAll("#programs tbody tr")];
  filter.form.hidden = false;
  filter.addEventListener("input", () => {
    const asked = filter.value.toLowerCase().split(/\s+/);
    for (const line of lines) {
      const text = `${line.textContent} ${line.dataset.words}`.toLowerCase();
      line.hidden = !asked.every(word => text.includes(word));
    }
    filter.form.querySelector("output").value = `${lines.filter(line => !line.hidden).length} programs`;
  });
  filter.form.addEventListener("submit", event => event.preventDefault());
})();
