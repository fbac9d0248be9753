"use strict";
// Passages of pages that have the words of a query: by an index in files of script, which file: can load too
(function () {
  var box = document.getElementById("q2"),
    table = document.getElementById("results"),
    list = document.getElementById("sections"),
    heading = document.getElementById("texts"),
    count = document.getElementById("found"),
    more = document.getElementById("more");
  var FIRST = 8,
    BESIDE = 3,
    NEAR = 30,
    SHORT = 3,
    AROUND = 220,
    head = null,
    loading = {},
    turn = 0;
  var COMMON = ("a an and are be by can do does for from has have how i if in is it its my of on or so that the then " +
      "there this to use what when where which why with")
    .split(" ");
  var parts = { words: [], texts: [] };
  window.efdSearch = {
    sections: function (found) {
      head = found;
    },
    words: function (number, found) {
      parts.words[number] = found;
    },
    texts: function (number, found) {
      parts.texts[number] = found;
    },
  };
  function load(name) {
    if (!loading[name])
      loading[name] = new Promise(function (done, fail) {
        var script = document.createElement("script");
        script.src = "static/search/" + name + ".js";
        script.onload = done;
        script.onerror = fail;
        document.head.append(script);
      });
    return loading[name];
  }
  // The parts, in order of their first entries, that have entries from one value to another
  function between(firsts, from, to) {
    return firsts
      .map(function (_, i) {
        return i;
      })
      .filter(function (i) {
        return firsts[i] <= to && (i + 1 === firsts.length || firsts[i + 1] > from);
      });
  }
  function loadParts(kind, from, to) {
    var numbers = between(head[kind], from, to);
    return Promise.all(
      numbers.map(function (number) {
        return load(kind + "-" + number);
      }),
    ).then(function () {
      return numbers;
    });
  }
  function tokens(text) {
    return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
  }
  // The words of a question that say what it is about; all of them if none does
  function telling(words) {
    var found = words.filter(function (word) {
      return COMMON.indexOf(word) < 0;
    });
    return found.length ? found : words;
  }
  // "formulas" finds "formula" too
  function stem(word) {
    return word.length > 4 ? word.replace(/s$/, "") : word;
  }
  // How often each passage has a word, or words that begin with it, which count less
  function counts(word) {
    var short = word.length < SHORT,
      start = short ? word : stem(word);
    return loadParts("words", start, short ? start : start + "\uffff").then(function (numbers) {
      var found = new Map();
      numbers.forEach(function (number) {
        parts.words[number].forEach(function (entry) {
          var each = entry[0],
            places = entry[1];
          if (short ? each !== word : !each.startsWith(start)) return;
          var weight = each === word ? 1 : stem(each) === start ? 0.8 : 0.3;
          for (var i = 0; i < places.length; i += 2)
            found.set(places[i], (found.get(places[i]) || 0) + weight * places[i + 1]);
        });
      });
      return found;
    });
  }
  // Passages with all words, or with half of them if none has all, those with most first; then the best first,
  // by BM25: rare words and short passages weigh more
  function rank(found) {
    var sections = head.sections,
      mean =
        sections.reduce(function (sum, each) {
          return sum + each[3];
        }, 0) / sections.length,
      had = new Map();
    found.forEach(function (each) {
      each.forEach(function (_, number) {
        had.set(number, (had.get(number) || 0) + 1);
      });
    });
    var most = Math.max.apply(null, [0].concat(Array.from(had.values())));
    function score(number) {
      return found.reduce(function (sum, each) {
        var times = each.get(number) || 0,
          rare = Math.log(1 + (sections.length - each.size + 0.5) / (each.size + 0.5));
        return sum + (rare * times) / (times + 0.6 + (0.6 * sections[number][3]) / mean);
      }, 0);
    }
    return Array.from(had.keys())
      .filter(function (number) {
        return most === found.length ? had.get(number) === most : 2 * had.get(number) >= found.length;
      })
      .map(function (number) {
        return { number: number, had: had.get(number), score: score(number) };
      })
      .sort(function (a, b) {
        return b.had - a.had || b.score - a.score || a.number - b.number;
      });
  }
  function text(number) {
    var part = between(head.texts, number, number)[0];
    return parts.texts[part][number - head.texts[part]];
  }
  function loadTexts(results) {
    return Promise.all(
      results.map(function (each) {
        return loadParts("texts", each.number, each.number);
      }),
    );
  }
  // Words one after another are found before words apart; in quotes, alone
  function phrase(words) {
    return new RegExp("(?<![\\p{L}\\p{N}_])" + words.join("[^\\p{L}\\p{N}_]+"), "iu");
  }
  function search(query) {
    var words = tokens(query),
      quoted = /^\s*".*"\s*$/.test(query);
    if (!words.length || !head) return Promise.resolve([]);
    var needed = Array.from(new Set(quoted ? words : telling(words)));
    return Promise.all(needed.map(counts)).then(function (found) {
      var ranked = rank(found),
        near = quoted ? ranked : ranked.slice(0, NEAR),
        whole = phrase(words);
      if (words.length < 2) return ranked;
      return loadTexts(near).then(function () {
        function has(each) {
          return whole.test(text(each.number)) || whole.test(head.sections[each.number][2]);
        }
        var first = near.filter(has);
        return quoted
          ? first
          : first.concat(
              ranked.filter(function (each) {
                return first.indexOf(each) < 0;
              }),
            );
      });
    });
  }
  // Words as texts have them: words of a few letters as they are, others with any end
  function forms(words) {
    var each = words.map(function (word) {
      var start = stem(word);
      return start.length < SHORT ? start + "(?![\\p{L}\\p{N}_])" : start + "[\\p{L}\\p{N}_]*";
    });
    return new RegExp("(?<![\\p{L}\\p{N}_])(?:" + each.join("|") + ")", "giu");
  }
  // The part of a text with the most of the words, the whole query first
  function snippet(whole, words) {
    var any = forms(telling(words)),
      found = Array.from(whole.matchAll(any)),
      exact = phrase(words).exec(whole),
      at = exact ? exact.index : 0;
    if (!exact) {
      var most = 0;
      found.forEach(function (each) {
        var here = new Set(
          found
            .filter(function (other) {
              return other.index >= each.index && other.index < each.index + AROUND - 60;
            })
            .map(function (other) {
              return stem(other[0].toLowerCase());
            }),
        ).size;
        if (here > most) {
          most = here;
          at = each.index;
        }
      });
    }
    var from = at < 60 ? 0 : whole.indexOf(" ", at - 60) + 1,
      end = from + AROUND >= whole.length ? whole.length : whole.lastIndexOf(" ", from + AROUND);
    var made = document.createElement("p");
    made.append(from > 0 ? "… " : "");
    mark(made, whole.slice(from, end), any);
    made.append(end < whole.length ? " …" : "");
    return made;
  }
  // Add a text to an element, as text, with words marked
  function mark(element, part, any) {
    var last = 0;
    Array.from(part.matchAll(any)).forEach(function (each) {
      var made = document.createElement("mark");
      made.textContent = each[0];
      element.append(part.slice(last, each.index), made);
      last = each.index + each[0].length;
    });
    element.append(part.slice(last));
  }
  function item(number, words) {
    var section = head.sections[number],
      page = head.pages[section[0]],
      made = document.createElement("li"),
      link = document.createElement("a");
    link.href = page[0] + (section[1] ? "#" + encodeURIComponent(section[1]) : "");
    mark(link, section[2], forms(telling(words)));
    made.append(link);
    if (section[2] !== page[1]) {
      var place = document.createElement("span");
      place.className = "place";
      place.textContent = page[1];
      made.append(" ", place);
    }
    made.append(snippet(text(number), words));
    return made;
  }
  function show(query, all) {
    var mine = ++turn,
      words = tokens(query);
    return search(query)
      .then(function (results) {
        var shown = all ? results : results.slice(0, table.hidden ? FIRST : BESIDE);
        return loadTexts(shown).then(function () {
          if (mine !== turn) return;
          list.textContent = "";
          shown.forEach(function (each) {
            list.append(item(each.number, words));
          });
          heading.hidden = list.hidden = !shown.length;
          more.hidden = shown.length === results.length;
          more.textContent = "All " + results.length;
          count.textContent = words.length
            ? results.length + (results.length === 1 ? " section of a page" : " sections of pages")
            : "";
        });
      })
      .catch(function () {
        count.textContent = "The index of texts cannot be loaded.";
      });
  }
  function run() {
    show(box.value, false);
  }
  box.addEventListener("input", run);
  more.addEventListener("click", function () {
    show(box.value, true);
  });
  load("sections").then(run);
})();
