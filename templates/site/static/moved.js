"use strict";
// Leads from an address of the Explicit-Formulas Database to the page of the formula that its fragment names.
(function () {
  var data = document.currentScript.dataset;
  var name = location.hash.slice(1);
  var kind = data.kinds.split(" ").find(function (each) {
    return name.indexOf(each + "-") === 0;
  });
  location.replace(kind ? data.folder + "/" + kind + "/" + name.slice(kind.length + 1) + ".html" : data.target);
})();
