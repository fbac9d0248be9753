"use strict";
(function () {
  var data = window.efdData,
    box = document.getElementById("q2"),
    table = document.getElementById("results"),
    count = document.getElementById("count");
  var LIMIT = 300,
    kinds = data.kinds.map(function (k) {
      return k[0];
    });
  var rows = data.formulas.map(function (f) {
    var s = data.systems[f[1]],
      k = data.kinds[f[2]],
      works = f[6].map(function (i) {
        return data.sources[i];
      });
    return {
      id: f[0],
      system: s,
      kind: k,
      cost: f[3],
      weight: f[4],
      flags: f[5],
      assuming: f[7],
      years: works.map(function (w) {
        return +w[1];
      }),
      text: [
        s[0] + "/" + k[0] + "/" + f[0],
        s[1],
        s[2],
        k[1],
        f[5],
        works
          .map(function (w) {
            return w.join(" ");
          })
          .join(" "),
        f[7],
      ]
        .join(" ")
        .toLowerCase(),
      eq: f[7].replace(/\s|=(?==)/g, ""),
    };
  });
  function parse(query) {
    var tests = [],
      q = " " + query.toLowerCase() + " ";
    function take(re, make) {
      q = q.replace(re, function () {
        tests.push(make.apply(null, arguments));
        return " ";
      });
    }
    take(/ (?:at most|under|<=|<|≤)\s*([\d.]+)\s*m?\b/g, function (_, n) {
      return function (r) {
        return r.weight <= +n;
      };
    });
    take(/ (\d{4})-(\d{4})(?= )/g, function (_, a, b) {
      return function (r) {
        return r.years.some(function (y) {
          return y >= +a && y <= +b;
        });
      };
    });
    take(/([a-z]\w*)\s*={1,2}\s*(-?\w+)/g, function (_, l, r2) {
      var want = l + "=" + r2;
      return function (r) {
        return ("," + r.eq.toLowerCase() + ",").indexOf("," + want + ",") >= 0;
      };
    });
    q.split(/[\s,]+/).forEach(function (word) {
      if (!word) return;
      if (word === "complete" || word === "unified")
        tests.push(function (r) {
          return r.flags.indexOf(word) >= 0;
        });
      else if (word === "mixed")
        tests.push(function (r) {
          return /(^|,)z+2=1(,|$)/i.test(r.eq);
        });
      else if (kinds.indexOf(word) >= 0)
        tests.push(function (r) {
          return r.kind[0] === word;
        });
      else
        tests.push(function (r) {
          return r.text.indexOf(word) >= 0;
        });
    });
    return tests;
  }
  function cell(row, text, cls, link) {
    var td = document.createElement(link && !row.cells.length ? "th" : "td");
    if (td.tagName === "TH") td.scope = "row";
    if (cls) td.className = cls;
    if (link) {
      var a = document.createElement("a");
      a.href = link;
      a.textContent = text;
      td.append(a);
    } else td.textContent = text;
    row.append(td);
  }
  function run() {
    var query = box.value.trim(),
      body = table.tBodies[0];
    body.textContent = "";
    if (!query) {
      table.hidden = true;
      count.textContent = "";
      return;
    }
    var tests = parse(query),
      found = rows.filter(function (r) {
        return tests.every(function (t) {
          return t(r);
        });
      });
    var words = query.toLowerCase().split(/\s+/),
      named = function (r) {
        return words.indexOf(r.id.toLowerCase()) >= 0 ? 0 : 1;
      };
    found.sort(function (a, b) {
      return named(a) - named(b) || a.kind[0].localeCompare(b.kind[0]) || a.weight - b.weight;
    });
    count.textContent =
      found.length +
      (found.length === 1 ? " formula" : " formulas") +
      (found.length > LIMIT ? ", the first " + LIMIT : "");
    found.slice(0, LIMIT).forEach(function (r) {
      var tr = document.createElement("tr");
      cell(tr, r.id, "", r.system[0] + "/" + r.kind[0] + "/" + r.id + ".html");
      cell(tr, r.system[0].split("/").slice(1).join("/"), "", r.system[0] + ".html");
      cell(tr, r.kind[0], "", "kinds/" + r.kind[0] + ".html");
      cell(tr, r.assuming.replace(/,/g, ", "), "as");
      cell(tr, r.cost.replace(/\*/g, "·"), "op");
      cell(tr, r.weight, "n");
      cell(tr, r.flags, "holds");
      body.append(tr);
    });
    table.hidden = !found.length;
    try {
      history.replaceState(null, "", "?q=" + encodeURIComponent(query));
    } catch (e) {
      /* file: */
    }
  }
  document.getElementById("searchform").addEventListener("submit", function (e) {
    e.preventDefault();
    run();
  });
  box.addEventListener("input", run);
  box.value = new URLSearchParams(location.search).get("q") || "";
  run();
})();
