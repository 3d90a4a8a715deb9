"use strict";
// Everything from the run is put into the page as text, never as markup.
const PAGE = 100;
const byId = (id) => document.getElementById(id);

async function unpack(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function make(tag, text, kind) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  if (kind) node.className = kind;
  return node;
}

function told(title, content, open) {
  const node = make("details");
  node.open = Boolean(open);
  node.append(make("summary", title));
  node.append(make("pre", typeof content === "string" ? content : json(content)));
  return node;
}

// Lists of numbers, such as steps, stand on one line.
function json(content) {
  return JSON.stringify(content, null, 1).replace(/\[[\s\d,-]+\]/g, (list) => list.replace(/\s+/g, " "));
}

let index = { questions: [], systems: [], piece: 1 };
let found = [];
const pieces = new Map();

function piece(number) {
  if (!pieces.has(number)) pieces.set(number, unpack(`piece-${number}`));
  return pieces.get(number);
}

function mark(letter) {
  const kinds = { 1: ["✓", "right"], 0: ["✗", "wrong"], "?": ["?", "open"], "-": ["·", "open"] };
  const [sign, kind] = kinds[letter];
  return make("span", sign, kind);
}

function answerNode(system, answer, row) {
  const box = make("div");
  box.append(make("h4", system));
  if (answer === null) {
    box.append(make("p", "no record"));
    return box;
  }
  const scores = row.scores[system].map((s) => `${s.metric}: ${s.score === null ? "unjudged" : Number(s.score.toFixed(3))}`);
  const load = answer.aggregation_load === null ? "" : `, load ${answer.aggregation_load}`;
  box.append(make("p", `${answer.status}${load}; ${scores.join(", ")}`));
  box.append(make("pre", answer.answer === null ? "(no answer)" : answer.answer, "answer"));
  const cause = row.causes[system];
  if (cause) box.append(make("p", `cause: ${cause.cause}${cause.label ? ", labelled " + cause.label : ""}`));
  if (answer.error) box.append(make("p", answer.error, "warning"));
  if (answer.plan) box.append(told("plan", answer.plan));
  answer.results.forEach((result, at) => {
    box.append(told(`result ${at + 1}: ${result.op}, ${result.state}`, result));
    if (result.sql) box.append(told(`SQL ${at + 1}`, `${result.sql}\n\n-- ${JSON.stringify(result.params)}`));
  });
  if (answer.evidence) box.append(told("evidence", answer.evidence));
  if (answer.trace.length) box.append(told("trace", answer.trace.map((t) => `${t.text} → ${t.became}`).join("\n")));
  for (const s of row.scores[system]) if (s.said) box.append(told(`said by ${s.metric}`, s.said));
  if (Object.keys(answer.usage || {}).length) box.append(told("usage", answer.usage));
  return box;
}

async function open(item, at) {
  const old = item.querySelector(".body");
  if (old) return old.remove();
  const row = (await piece(Math.floor(at / index.piece)))[at % index.piece];
  const body = make("div", undefined, "body");
  body.append(make("pre", index.questions[at].question, "question"));
  body.append(make("b", "reference"));
  body.append(make("pre", row.reference === null ? "(to be declined)" : row.reference, "reference"));
  for (const system of index.systems) body.append(answerNode(system, row.answers[system], row));
  for (const [system, prompt] of Object.entries(row.prompts)) {
    const size = `${prompt.tokens} tokens of context, ${prompt.characters} characters`;
    body.append(told(`prompt of ${system}: ${size}, sha256 ${prompt.hash}`, prompt.text));
  }
  body.append(told("facts", row.facts));
  item.append(body);
}

function itemNode(at) {
  const question = index.questions[at];
  const item = make("li");
  item.id = `q-${question.id}`;
  const head = make("button", undefined, "head");
  const left = make("span", question.question.slice(0, 220));
  const where = [question.id, question.trajectory, question.domain, question.template, `load ${question.load}`];
  left.append(make("small", where.filter(Boolean).join(" · ")));
  const marks = make("span", undefined, "marks");
  [...question.marks].forEach((letter, n) => {
    const sign = mark(letter);
    sign.title = index.systems[n] + (question.causes[n] ? `: ${question.causes[n]}` : "");
    marks.append(sign);
  });
  head.append(left, marks);
  head.addEventListener("click", () => open(item, at));
  item.append(head);
  return item;
}

function more() {
  const list = byId("list");
  const next = found.slice(list.childElementCount, list.childElementCount + PAGE);
  list.append(...next.map(itemNode));
  byId("more").hidden = list.childElementCount >= found.length;
}

function matches(question, asked) {
  if (asked.domain && question.domain !== asked.domain) return false;
  if (asked.template && question.template !== asked.template) return false;
  if (asked.load && question.load !== asked.load) return false;
  const systems = asked.system ? [index.systems.indexOf(asked.system)] : index.systems.map((_, n) => n);
  if (asked.verdict && !systems.some((n) => question.marks[n] === asked.verdict)) return false;
  if (asked.cause && !systems.some((n) => question.causes[n] === asked.cause)) return false;
  const text = `${question.question} ${question.id} ${question.trajectory}`.toLowerCase();
  return asked.search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function filter() {
  const asked = {};
  for (const name of ["search", "system", "verdict", "domain", "template", "load", "cause"]) {
    asked[name] = byId(name).value;
  }
  found = index.questions.map((_, at) => at).filter((at) => matches(index.questions[at], asked));
  byId("count").textContent = `${found.length} of ${index.questions.length}`;
  byId("list").replaceChildren();
  more();
}

function choices(id, values) {
  for (const value of [...new Set(values)].filter(Boolean).sort()) byId(id).append(new Option(value, value));
}

async function begin() {
  index = await unpack("index");
  choices("system", index.systems);
  choices("domain", index.questions.map((q) => q.domain));
  choices("template", index.questions.map((q) => q.template));
  choices("load", index.questions.map((q) => q.load));
  choices("cause", index.questions.flatMap((q) => q.causes));
  byId("filters").addEventListener("input", filter);
  byId("more").addEventListener("click", more);
  filter();
  document.body.dataset.ready = "yes";
}

begin();
