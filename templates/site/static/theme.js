(function () {
  var t = null;
  try {
    t = localStorage.getItem("theme");
  } catch (e) {}
  if (t) document.documentElement.dataset.theme = t;
  document.documentElement.classList.add("has-js");
})();
