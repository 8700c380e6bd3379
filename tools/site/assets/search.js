// The search of the site. The index is loaded with the first key, so that pages stay small.
"use strict";
(() => {
  const root = document.currentScript.src; // beside the first page
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const most = 12;

  if (matchMedia("(min-width: 60rem)").matches) document.querySelector("nav details").open = true;

  let loaded;
  const load = () => loaded ??= new Promise((done, failed) => {
    const index = document.createElement("script");
    index.src = new URL("search-index.js", root);
    index.onload = done;
    index.onerror = failed;
    document.head.append(index);
  });

  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const count = (text, word) => text.split(word).length - 1;

  // The score of a page: all words must be in it, and count more in its title or a heading.
  const score = (page, query) => {
    const title = page.title.toLowerCase(), text = page.text.toLowerCase();
    let sum = 0;
    for (const word of query) {
      const found = Math.min(count(text, word), 20) + (title.includes(word) ? 100 : 0)
        + (page.headings.some((h) => h.title.toLowerCase().includes(word)) ? 30 : 0);
      if (found === 0) return 0;
      sum += found;
    }
    return sum;
  };

  const excerpt = (text, word) => {
    const at = text.toLowerCase().indexOf(word);
    if (at < 0) return "";
    const from = Math.max(0, at - 60);
    return (from > 0 ? "… " : "") + text.slice(from, at + 100).replace(/\s+/g, " ") + " …";
  };

  const entry = (page, query) => {
    const heading = page.headings.find((h) => h.title !== page.title && query.every((word) => h.title.toLowerCase().includes(word)));
    const link = document.createElement("a");
    link.href = new URL(page.url + (heading ? "#" + heading.id : ""), root);
    link.textContent = heading ? `${page.title}: ${heading.title}` : page.title;
    const about = document.createElement("small");
    about.textContent = excerpt(page.text, query[0]);
    link.append(about);
    const item = document.createElement("li");
    item.append(link);
    return item;
  };

  const search = async () => {
    const query = words(input.value);
    if (query.length === 0) {
      results.hidden = true;
      return;
    }
    await load();
    const found = window.pages.map((page) => [score(page, query), page]).filter(([points]) => points > 0)
      .sort(([a], [b]) => b - a).slice(0, most);
    results.replaceChildren(...found.map(([, page]) => entry(page, query)));
    if (found.length === 0) results.textContent = "Nothing found.";
    results.hidden = false;
  };

  input.addEventListener("input", search);
  input.form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") results.hidden = true;
    if (event.key === "/" && document.activeElement === document.body) {
      event.preventDefault();
      input.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("header")) results.hidden = true;
  });
})();
