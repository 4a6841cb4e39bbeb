/**
 * What moves on the page, as text: it runs in a browser. `data` is what timeline-page.ts embeds. Time goes from left to
 * right; instants have a column each, as wide as what happened in them, and stretches without anything are cut short.
 */
export const pageScript = String.raw`
const { entries } = data;
const svgNs = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const main = document.querySelector("main");
const panel = document.querySelector("aside");
const laneHeight = 26, top0 = 40, step = 14, gap = 26;
let chosen = -1;
const byRevision = new Map();
// One write may change several objects at one revision; the first is what somebody asked for.
entries.forEach(({ revision }, at) => { if (revision !== undefined && !byRevision.has(revision)) byRevision.set(revision, at); });
const woke = new Map();
entries.forEach((entry, at) => { for (const revision of entry.wokenBy ?? []) { const from = byRevision.get(revision); if (from !== undefined) woke.set(from, [...(woke.get(from) ?? []), at]); } });
const start = entries.length > 0 ? entries[0].time : 0;

function span(ms) {
  const units = [["d", 86400000], ["h", 3600000], ["m", 60000], ["s", 1000]];
  let text = "", rest = ms;
  for (const [unit, size] of units) { const n = Math.floor(rest / size); if (n > 0) { text += (text ? " " : "") + n + unit; rest -= n * size; } }
  return text === "" || rest > 0 && ms < 10000 ? (ms < 1000 ? Math.round(ms) + "ms" : (ms / 1000).toFixed(1) + "s") : text;
}
const clockText = (time) => new Date(time).toISOString().replace("T", " ").replace("Z", "");
const titleOf = (entry) => entry.is === "write" ? entry.verb + " " + entry.object : "reconcile " + entry.item;
const laneOf = (entry, by) => entry.is === "work" ? "↻ " + entry.queue : by === "object" ? entry.object : shortName(entry.writer);
const shortName = (user) => user.replace(/^system:(serviceaccount:kube-system:|node:)?/, "");
const matches = (entry, text) => text === "" || JSON.stringify(entry).toLowerCase().includes(text.toLowerCase());

function el(name, attributes, parent, text) {
  const node = document.createElementNS(svgNs, name);
  for (const key in attributes) node.setAttribute(key, attributes[key]);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

function draw() {
  const by = byId("lanes").value, text = byId("filter").value;
  const shown = entries.map((entry, at) => at).filter((at) => matches(entries[at], text));
  const names = [];
  for (const at of shown) { const lane = laneOf(entries[at], by); if (!names.includes(lane)) names.push(lane); }
  names.sort((a, b) => Number(a.startsWith("↻")) - Number(b.startsWith("↻")));
  const lane = new Map(names.map((name, at) => [name, at]));
  const longest = Math.min(44, names.reduce((most, name) => Math.max(most, name.length), 10));
  const labels = 24 + longest * 6.7;
  const x = new Map(), instants = [];
  let at = labels + 20, last;
  for (const each of shown) {
    const { time } = entries[each];
    if (time !== last) { at += last === undefined ? 0 : gap; instants.push({ time, at, before: last }); last = time; }
    x.set(each, at);
    at += step;
  }
  const width = Math.max(at + 60, main.clientWidth), height = top0 + names.length * laneHeight + 40;
  main.replaceChildren();
  const svg = el("svg", { width, height }, main);
  names.forEach((name, row) => { if (row % 2 === 0) el("rect", { class: "band", x: 0, y: top0 + row * laneHeight, width, height: laneHeight }, svg); });
  let free = 0;
  for (const instant of instants) {
    el("line", { class: "tick", x1: instant.at - step / 2, x2: instant.at - step / 2, y1: top0 - 8, y2: height - 30 }, svg);
    const label = instant.time === start ? "start" : "+" + span(instant.time - start);
    if (instant.at >= free) { el("text", { class: "soft", x: instant.at - step / 2, y: top0 - 14 }, svg, label); free = instant.at + label.length * 6 + 14; }
  }
  const y = (entry) => top0 + lane.get(laneOf(entry, by)) * laneHeight + laneHeight / 2;
  const arrows = el("g", {}, svg), marks = el("g", {}, svg);
  for (const each of shown) {
    const entry = entries[each];
    for (const revision of entry.wokenBy ?? []) {
      const from = byRevision.get(revision);
      if (!x.has(from)) continue;
      const [x1, y1, x2, y2] = [x.get(from), y(entries[from]), x.get(each), y(entry)];
      const bend = Math.max(18, (x2 - x1) / 2);
      el("path", { class: "arrow", "data-from": from, "data-to": each, d: "M" + x1 + " " + y1 + " C" + (x1 + bend) + " " + y1 + " " + (x2 - bend) + " " + y2 + " " + x2 + " " + y2 }, arrows);
    }
    const common = { "data-at": each, tabindex: -1 };
    if (entry.is === "work") el("rect", { ...common, class: "mark work", x: x.get(each) - 6, y: y(entry) - 6, width: 13, height: 12, rx: 3 }, marks);
    else if (entry.change === "delete") el("path", { ...common, class: "mark delete", d: "M" + (x.get(each) - 5) + " " + (y(entry) - 5) + "h10v10h-10z" }, marks).setAttribute("transform", "rotate(45 " + x.get(each) + " " + y(entry) + ")");
    else el("circle", { ...common, class: "mark " + entry.change, cx: x.get(each), cy: y(entry), r: entry.change === "create" ? 6.5 : 5 }, marks);
  }
  const side = el("g", { class: "labels" }, svg);
  el("rect", { x: 0, y: 0, width: labels, height }, side);
  names.forEach((name, row) => {
    if (row % 2 === 0) el("rect", { x: 0, y: top0 + row * laneHeight, width: labels, height: laneHeight, style: "fill: var(--band)" }, side);
    const shortened = name.length > 44 ? name.slice(0, 43) + "…" : name;
    el("title", {}, el("text", { x: 14, y: top0 + row * laneHeight + 17 }, side, shortened), name);
  });
  el("text", { class: "soft", x: 14, y: top0 - 14 }, side, clockText(start));
  el("line", { class: "tick", x1: labels, x2: labels, y1: 0, y2: height }, side);
  const stick = () => side.setAttribute("transform", "translate(" + main.scrollLeft + " 0)");
  main.onscroll = stick;
  stick();
  light(chosen);
}

function light(at) {
  const svg = main.querySelector("svg");
  if (!svg) return;
  const linked = new Set([at, ...(woke.get(at) ?? []), ...(entries[at]?.wokenBy ?? []).map((revision) => byRevision.get(revision))]);
  svg.classList.toggle("dim", at >= 0);
  for (const mark of svg.querySelectorAll(".mark")) {
    mark.classList.toggle("on", linked.has(Number(mark.dataset.at)));
    mark.classList.toggle("chosen", Number(mark.dataset.at) === chosen);
  }
  for (const arrow of svg.querySelectorAll(".arrow")) arrow.classList.toggle("on", Number(arrow.dataset.from) === at || Number(arrow.dataset.to) === at);
}

function add(parent, name, text, className) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  parent.append(node);
  return node;
}
const valueText = (value) => typeof value === "string" ? value : JSON.stringify(value, null, 1);

function choose(at) {
  chosen = at;
  panel.replaceChildren();
  const entry = entries[at];
  if (!entry) { add(panel, "p", "Choose a mark to see what changed and what it woke. Arrow keys go on from there, Escape clears.", "hint"); light(-1); return; }
  add(panel, "h2", titleOf(entry));
  if (entry.is === "write") {
    add(panel, "div", entry.writer + (entry.manager ? " (" + entry.manager + ")" : "") + " · " + clockText(entry.time) + " · revision " + entry.revision, "by");
    if (entry.changes.length > 0) add(panel, "h3", "changed");
    for (const { path, before, after } of entry.changes) {
      const row = add(panel, "div", undefined, "path");
      add(row, "b", path);
      if (before !== undefined) add(row, "del", valueText(before));
      if (after !== undefined) add(row, "ins", valueText(after));
    }
    links("made by", entries.map((other, index) => index).filter((index) => entries[index].wrote?.includes(entry.revision)));
    links("woke", woke.get(at) ?? []);
    links("other writes of this object", entries.map((other, index) => index).filter((index) => index !== at && entries[index].object === entry.object));
  } else {
    add(panel, "div", entry.queue + " · " + clockText(entry.time) + (entry.ended === undefined ? " · under way" : entry.ended > entry.time ? " · took " + span(entry.ended - entry.time) : ""), "by");
    links("woken by", entry.wokenBy.map((revision) => byRevision.get(revision)).filter((index) => index !== undefined));
    links("wrote", entry.wrote.map((revision) => byRevision.get(revision)).filter((index) => index !== undefined));
  }
  light(at);
}

function links(title, indexes) {
  if (indexes.length === 0) return;
  add(panel, "h3", title);
  for (const index of indexes.slice(0, 60)) {
    const entry = entries[index];
    const link = add(panel, "a", "+" + span(entry.time - start) + "  " + titleOf(entry) + (entry.is === "work" ? " (" + entry.queue + ")" : " by " + shortName(entry.writer)));
    link.onclick = () => { choose(index); show(index); };
  }
}

function show(at) {
  const mark = main.querySelector('[data-at="' + at + '"]');
  if (!mark) return;
  const box = mark.getBoundingClientRect(), view = main.getBoundingClientRect();
  main.scrollBy({ left: box.left - view.left - view.width / 2, top: box.top - view.top - view.height / 2, behavior: "smooth" });
}

const tip = byId("tip");
main.onmousemove = (event) => {
  const at = event.target.dataset?.at;
  tip.style.display = at === undefined ? "none" : "block";
  if (at === undefined) { light(chosen); return; }
  const entry = entries[at];
  tip.textContent = "+" + span(entry.time - start) + "  " + titleOf(entry) + (entry.is === "write" ? " by " + shortName(entry.writer) : "");
  tip.style.left = Math.min(event.clientX + 12, innerWidth - 480) + "px";
  tip.style.top = event.clientY + 16 + "px";
  light(Number(at));
};
main.onmouseleave = () => { tip.style.display = "none"; light(chosen); };
main.onclick = (event) => { const at = event.target.dataset?.at; choose(at === undefined ? -1 : Number(at)); };
onkeydown = (event) => {
  if (event.target.tagName === "INPUT" || event.target.tagName === "SELECT") return;
  if (event.key === "Escape") choose(-1);
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined || entries.length === 0) return;
  event.preventDefault();
  const next = Math.min(entries.length - 1, Math.max(0, chosen + by));
  choose(next);
  show(next);
};
byId("lanes").onchange = byId("filter").oninput = onresize = draw;
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has("lanes")) byId("lanes").value = asked.get("lanes");
draw();
choose(asked.has("at") ? Number(asked.get("at")) : -1);
`;
