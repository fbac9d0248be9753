"use strict";
// The page around the prover: the editor, its place, and what the worker answers. All words of findings are the worker's.
(function () {
  const data = window.efdPlay;
  const get = (id) => document.getElementById(id);
  const [form, example, model, system, kind, text] = ["play", "example", "model", "system", "kind", "text"].map(get);
  const [go, stop, seconds, state, clock, fault, verdict] = [
    "go",
    "stop",
    "seconds",
    "state",
    "clock",
    "fault",
    "verdict",
  ].map(get);
  const systems = [...system.options],
    kinds = [...kind.options];
  let worker = null,
    timer = null;

  // The place: systems of the model, operations of the system first
  function fill(list, options, wanted) {
    list.replaceChildren(...options);
    if (options.some((option) => option.value === wanted)) list.value = wanted;
  }
  function showPlace() {
    const current = { system: system.value, kind: kind.value };
    fill(
      system,
      systems.filter((option) => data.systems[option.value].model === model.value),
      current.system,
    );
    const usual = data.systems[system.value].kinds;
    get("usual").replaceChildren(...kinds.filter((option) => usual.includes(option.value)));
    get("others").replaceChildren(...kinds.filter((option) => !usual.includes(option.value)));
    const known = kinds.some((option) => option.value === current.kind);
    kind.value = known ? current.kind : usual[0] || kinds[0].value;
    const shown = [model.value, system.value, kind.value];
    document.querySelectorAll("[data-of]").forEach((each) => {
      each.hidden = !shown.includes(each.dataset.of);
    });
  }
  const place = () => system.value + "/" + kind.value;
  function setPlace(wanted) {
    const [found, id, operation] = /^(.+)\/([^/]+)$/.exec(wanted || "") || [];
    if (!found || !Object.hasOwn(data.systems, id)) return false;
    model.value = data.systems[id].model;
    system.replaceChildren(...systems);
    system.value = id;
    kind.value = operation;
    showPlace();
    return kind.value === operation;
  }
  function setText(content) {
    text.value = content;
    renumber();
    forget();
  }

  // The editor
  function renumber() {
    const lines = text.value.split("\n").length;
    get("numbers").textContent = Array.from({ length: lines }, (_, number) => number + 1).join("\n");
    get("numbers").scrollTop = text.scrollTop;
  }
  function forget() {
    fault.textContent = "";
    text.removeAttribute("aria-invalid");
  }
  // A column counts characters, a selection units of UTF-16.
  function goTo(at) {
    const lines = text.value.split("\n");
    const before = lines.slice(0, at.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const start = before + Array.from(lines[at.line - 1] || "").slice(0, at.column - 1).join("").length;
    text.focus();
    text.setSelectionRange(start, start);
    text.scrollTop = (at.line - 4) * parseFloat(getComputedStyle(text).lineHeight);
  }

  // Findings
  function add(parent, tag, content, name) {
    const node = document.createElement(tag);
    node.textContent = content;
    if (name) node.className = name;
    parent.append(node);
    return node;
  }
  function card(name, title) {
    verdict.textContent = "";
    const made = add(verdict, "div", "", "card " + name);
    add(made, "h2", title);
    return made;
  }
  const bare = (line) => line.replace(/\s+/g, "");
  function repair(parent, edit) {
    const lines = text.value.split("\n");
    if (bare(lines[edit.line - 1] || "") !== bare("compute" + edit.old)) return;
    const button = add(parent, "button", "Edit line " + edit.line + ": " + edit.new);
    button.type = "button";
    button.addEventListener("click", () => {
      lines[edit.line - 1] = "compute " + edit.new;
      setText(lines.join("\n"));
      form.requestSubmit();
    });
  }
  function show(answer) {
    const right = answer.law === "proved" && answer.verdict !== "refuted";
    const made = card(right ? "proved" : answer.verdict, answer.headline || answer.verdict);
    if (answer.cost) add(made, "p", answer.cost);
    if (answer.repairs.length) {
      const edits = add(made, "p", "");
      answer.repairs.forEach((edit) => repair(edits, edit));
    }
    add(made, "pre", answer.out + answer.error).tabIndex = 0;
    if (answer.places.length) {
      const words = (each) => "Line " + each.line + ", column " + each.column + ": " + each.reason;
      fault.textContent = answer.places.map(words).join("; ");
      text.setAttribute("aria-invalid", "true");
      goTo(answer.places[0]);
    }
  }

  // The worker
  function rest() {
    clearInterval(timer);
    timer = null;
    state.textContent = clock.textContent = "";
    go.disabled = false;
    stop.hidden = true;
  }
  function end(title, words) {
    if (worker) worker.terminate();
    worker = null;
    rest();
    add(card("undecided", title), "p", words);
  }
  function count() {
    const begun = performance.now(),
      budget = seconds.valueAsNumber;
    state.textContent = "Proving …";
    timer = setInterval(() => {
      const passed = (performance.now() - begun) / 1000;
      clock.textContent = Math.floor(passed) + " s";
      if (passed >= budget) end("Stopped", "There is no verdict after " + budget + " seconds.");
    }, 100);
  }
  function heard(event) {
    const { state: words, proving, answer, failure } = event.data;
    if (words) state.textContent = words;
    else if (proving) count();
    else if (failure) end("Failed", failure);
    else {
      rest();
      show(answer);
    }
  }
  function check(event) {
    event.preventDefault();
    if (go.disabled || location.protocol === "file:") return;
    forget();
    verdict.textContent = "";
    go.disabled = true;
    stop.hidden = false;
    keep();
    state.textContent = worker ? "" : "Loading Python, FLINT and efdgen …";
    if (!worker) {
      worker = new Worker("worker.mjs", { type: "module" });
      worker.onmessage = heard;
      worker.onerror = (error) => end("Failed", error.message || "The prover did not start.");
    }
    worker.postMessage({ wheel: data.wheel, text: text.value, place: place() });
  }

  // Links: a formula in the fragment, or the id of one of this site in the query
  const fragment = () => "#" + new URLSearchParams({ place: place(), text: text.value });
  function keep() {
    history.replaceState(null, "", location.pathname + fragment());
  }
  function open() {
    const given = new URLSearchParams(location.hash.slice(1));
    if (given.has("text") && setPlace(given.get("place"))) {
      example.value = "";
      setText(given.get("text"));
      return true;
    }
    const id = new URLSearchParams(location.search).get("formula");
    const [found, where] = /^(g\d+[a-z]*(?:\/[\w+-]+){3})\/[\w+-]+$/.exec(id || "") || [];
    if (!found || !setPlace(where)) return false;
    example.value = "";
    fetch("../" + id)
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => "")
      .then(setText);
    return true;
  }
  function choose() {
    const chosen = data.examples[example.value];
    if (chosen && setPlace(chosen.place)) setText(chosen.text);
  }

  data.examples.forEach((each, number) => {
    if (setPlace(each.place)) example.append(new Option(each.title, number));
  });
  example.addEventListener("change", choose);
  [model, system, kind].forEach((list) => list.addEventListener("change", showPlace));
  text.addEventListener("input", () => {
    example.value = "";
    renumber();
    forget();
  });
  text.addEventListener("scroll", renumber);
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  form.addEventListener("submit", check);
  stop.addEventListener("click", () => end("Stopped", "There is no verdict."));
  get("link").addEventListener("click", () => {
    keep();
    const done = (words) => () => {
      if (!go.disabled) state.textContent = words;
    };
    if (navigator.clipboard)
      navigator.clipboard.writeText(location.href).then(done("Copied"), done("The address has it"));
    else done("The address has it")();
  });
  addEventListener("hashchange", open);
  if (location.protocol === "file:") {
    get("served").hidden = false;
    go.disabled = true;
  }
  showPlace();
  if (!open() && example.options.length > 1) {
    example.selectedIndex = 1;
    choose();
  }
})();
