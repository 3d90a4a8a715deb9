"use strict";
// Labels stay in the browser until they are saved; the file's lines are as the run folder reads them.
const byId = (id) => document.getElementById(id);
const store = `labels ${document.body.dataset.run}`;
let given = {};

async function unpack(id) {
  const bytes = Uint8Array.from(atob(byId(id).textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

function make(tag, text) {
  const node = document.createElement(tag);
  if (text !== undefined && text !== null) node.textContent = text;
  return node;
}

function remember(count) {
  try {
    localStorage.setItem(store, JSON.stringify(given));
  } catch {
    // A browser that keeps nothing for files still saves what is on the page.
  }
  byId("done").textContent = `${Object.values(given).filter((row) => row.label).length} of ${count} labelled`;
}

function recalled() {
  try {
    return JSON.parse(localStorage.getItem(store) || "{}");
  } catch {
    return {};
  }
}

function caseNode(one, labels, count) {
  const key = `${one.system} ${one.question_id}`;
  const row = (given[key] ??= { system: one.system, question_id: one.question_id, label: null, defensible: false, note: "" });
  const article = make("article");
  article.append(make("b", `${one.system} · ${one.trajectory} · ${one.question_id}`));
  for (const [name, text] of [["question", one.question], ["reference", one.reference], ["answer", one.answer], ["evidence", one.evidence], ["plan", JSON.stringify(one.plan, null, 1)]]) {
    const part = make("details");
    part.open = name !== "plan";
    part.append(make("summary", name), make("pre", text));
    article.append(part);
  }
  const box = make("fieldset");
  for (const [name, meaning] of labels) {
    const label = make("label");
    const radio = Object.assign(make("input"), { type: "radio", name: key, value: name, checked: row.label === name });
    radio.addEventListener("change", () => { row.label = name; remember(count); });
    label.append(radio, ` ${name}: ${meaning}`);
    box.append(label);
  }
  const defensible = make("label");
  const check = Object.assign(make("input"), { type: "checkbox", checked: row.defensible });
  check.addEventListener("change", () => { row.defensible = check.checked; remember(count); });
  defensible.append(check, " the plan's reading is defensible");
  const note = Object.assign(make("input"), { type: "text", size: 80, placeholder: "note", value: row.note || "" });
  note.addEventListener("input", () => { row.note = note.value; remember(count); });
  box.append(defensible, note);
  article.append(box);
  return article;
}

function lines() {
  return Object.values(given).filter((row) => row.label).map((row) => JSON.stringify(row) + "\n").join("");
}

function save() {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([lines()], { type: "application/jsonl" }));
  link.download = "labels.jsonl";
  link.click();
}

async function begin() {
  const data = await unpack("data");
  given = recalled();
  for (const row of data.given) given[`${row.system} ${row.question_id}`] ??= row;
  byId("queue").append(...data.queue.map((one) => caseNode(one, data.labels, data.queue.length)));
  byId("save").addEventListener("click", save);
  remember(data.queue.length);
  document.body.dataset.ready = "yes";
}

begin();
