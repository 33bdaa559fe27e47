"use strict";
/* Says beside each verdict of a household which clauses decided it. */
(function () {
  const told = document.getElementById("facts");
  const household = BENYFITS.whole(JSON.parse(told.textContent)), rules = RULES[told.dataset.edition];
  for (const row of document.querySelectorAll("#verdicts tbody tr")) {
    const name = row.dataset.program, { clauses } = rules.reasons(name, household);
    const cell = row.querySelector(".why");
    for (const clause of clauses) {
      const text = rules.CLAUSES[name][clause];
      cell.append(BENYFITS.element("div", text ? `${clause}: ${text}` : clause));
    }
    if (!clauses.length) cell.textContent = "no condition";
  }
})();
