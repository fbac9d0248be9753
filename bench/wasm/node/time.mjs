// Times operations of modules and of libraries from npm in interleaved rounds of one process, and prints
// `operation|subject|median|lower decile`, in µs of a processor, for each. Subjects are checked before and
// after their rounds.
// Usage: node time.mjs ROUNDS [SUBJECT=MODULE]...

import { check, INPUTS } from "./inputs.mjs";
import { LIBRARIES } from "./libraries.mjs";
import { fromModule } from "./modules.mjs";

// Time of a round of a subject, and before its first one, in which the engine compiles it to fast code.
const ROUND = 20_000;
const WARMING = 300_000;

const subjects = {};
for (const argument of process.argv.slice(3)) {
  const [name, file] = argument.split("=");
  subjects[name] = await fromModule(file);
}
Object.assign(subjects, LIBRARIES);

/** Return the µs of a processor that a call of an operation takes, out of a number of calls. */
function microseconds(run, count) {
  const start = process.cpuUsage();
  run(count);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}

/** Return the number of calls in a round, after a time in which the operation runs. */
function warmed(run) {
  let each;
  for (let spent = 0, count = 1; spent < WARMING; spent += each * count, count *= 2) {
    each = microseconds(run, count);
  }
  return Math.ceil(ROUND / each);
}

/** Print the line of each subject that has a function of a curve. */
function time(curve, operation, rounds) {
  const named = Object.entries(subjects).filter(([, curves]) => curves[curve]);
  const timed = named.map(([subject, curves]) => {
    const functions = curves[curve];
    check(curve, functions);
    const verify = (count) => functions.verify(INPUTS[curve].signature, count);
    const run = operation === "verify" ? verify : functions[operation];
    return { subject, run, count: warmed(run), times: [] };
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, count, times } of timed) times.push(microseconds(run, count));
  }
  for (const [, curves] of named) check(curve, curves[curve]);
  const name = operation === "exchange" ? curve : `${curve}: ${operation}`;
  for (const { subject, times } of timed) {
    times.sort((a, b) => a - b);
    const figures = [2, 10].map((part) => times[Math.floor(rounds / part)].toFixed(3));
    console.log([name, subject, ...figures].join("|"));
  }
}

const rounds = Number(process.argv[2]);
for (const curve of Object.keys(INPUTS)) {
  const operations = curve === "X25519" ? ["exchange"] : ["verify", "sign"];
  for (const operation of operations) time(curve, operation, rounds);
}
