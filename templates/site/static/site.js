"use strict";
(function () {
  // Theme
  var root = document.documentElement,
    button = document.getElementById("theme");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", function () {
      var dark = root.dataset.theme
        ? root.dataset.theme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch (e) {
        /* private windows */
      }
    });
  }
  if (matchMedia("(max-width: 900px)").matches) {
    var tree = document.querySelector(".tree");
    if (tree) tree.open = false;
  }
  // Keyboard: / goes to the search field
  addEventListener("keydown", function (event) {
    if (
      event.key === "/" &&
      !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName) &&
      !event.ctrlKey &&
      !event.metaKey
    ) {
      event.preventDefault();
      (document.getElementById("q2") || document.getElementById("q")).focus();
    }
  });
  // Copy buttons
  document.querySelectorAll("pre.copy").forEach(function (pre) {
    var box = document.createElement("div"),
      copy = document.createElement("button");
    box.className = "copybox";
    copy.type = "button";
    copy.textContent = "Copy";
    pre.replaceWith(box);
    box.append(copy, pre);
    copy.addEventListener("click", function () {
      var done = function () {
        copy.textContent = "Copied";
        setTimeout(function () {
          copy.textContent = "Copy";
        }, 1500);
      };
      if (navigator.clipboard)
        navigator.clipboard.writeText(pre.textContent).then(done, function () {
          select(pre);
        });
      else select(pre);
    });
  });
  function select(node) {
    getSelection().selectAllChildren(node);
  }
  // Costs: terms such as M11,S5,*a1 weighed by the sliders
  function price(terms, w) {
    var sum = 0;
    terms.split(",").forEach(function (term) {
      var match = /^(\*[^:]+|\^\d+|[A-Za-z]+):(\d+)$/.exec(term);
      if (!match) return;
      var unit = match[1],
        n = +match[2],
        weight;
      if (unit in w) weight = w[unit];
      else if (unit[0] === "^") {
        var e = +unit.slice(1),
          bits = e.toString(2);
        weight = (bits.length - 1) * w.S + (bits.split("1").length - 2) * w.M;
      } else weight = /^\*\d/.test(unit) ? w.const : w.param;
      sum += n * weight;
    });
    return sum;
  }
  window.efdPrice = price;
  function show(x) {
    return String(+x.toFixed(2));
  }
  function sortRows(table, column, down) {
    var body = table.tBodies[0],
      rows = Array.from(body.rows);
    var value = function (row) {
      var text = row.cells[column].textContent.trim();
      var n = parseFloat(text);
      return isNaN(n) ? text : n;
    };
    rows.sort(function (a, b) {
      var x = value(a),
        y = value(b),
        r = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y));
      return down ? -r : r;
    });
    rows.forEach(function (row) {
      body.append(row);
    });
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, i) {
      if (i === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
  }
  document.querySelectorAll("table.costs, table.matrix").forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, i) {
      if (!cell.textContent) return;
      var b = document.createElement("button");
      b.type = "button";
      b.textContent = cell.textContent;
      cell.textContent = "";
      cell.append(b);
      b.addEventListener("click", function () {
        sortRows(table, i, cell.getAttribute("aria-sort") === "ascending");
      });
    });
  });
  function apply(form, sort) {
    var w = { M: 1 };
    form.querySelectorAll("input").forEach(function (input) {
      w[input.dataset.unit] = +input.value;
      input.nextElementSibling.value = input.value;
    });
    var next = form.nextElementSibling,
      section = form.closest("section");
    (section || document).querySelectorAll("table.costs").forEach(function (table) {
      var column = -1;
      Array.from(table.tBodies[0].rows).forEach(function (row) {
        var cell = row.querySelector(".yours");
        column = cell.cellIndex;
        cell.textContent = show(price(row.dataset.t, w));
      });
      if (sort && column >= 0) sortRows(table, column, false);
    });
  }
  document.querySelectorAll("form.weights").forEach(function (form) {
    apply(form, false);
    form.addEventListener("input", function () {
      apply(form, true);
    });
    form.addEventListener("reset", function () {
      setTimeout(function () {
        apply(form, true);
      });
    });
  });
})();
