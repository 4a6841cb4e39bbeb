import { expect, it } from "vitest";
import type { RestClient } from "../rest/index.js";
import { tableSource } from "./table-source.js";

const path = "/apis/metrics.k8s.io/v1beta1/nodes";
const answering = (value: unknown): RestClient => ({ send: async () => value }) as unknown as RestClient;

const cases = [
  {
    name: "a Table has the server's columns",
    answer: {
      kind: "Table",
      columnDefinitions: [{ name: "CPU", type: "string" }],
      rows: [{ cells: ["1"], object: { metadata: { name: "a" } } }],
    },
    columns: ["CPU"],
    cells: [["1"]],
  },
  {
    name: "objects of a server that prints no Tables are named",
    answer: { kind: "NodeMetricsList", metadata: {}, items: [{ metadata: { name: "a" }, usage: {} }] },
    columns: ["Name", "Age"],
    cells: [["a", ""]],
  },
  {
    name: "a list of none has columns, too",
    answer: { kind: "ThingList", items: null },
    columns: ["Name", "Age"],
    cells: [],
  },
];

for (const { name, answer, columns, cells } of cases)
  it(name, async () => {
    const seen: string[] = [];
    const source = tableSource(answering(answer), path, (found) => void seen.push(...found.map((one) => one.name)));
    const { items } = await source.list({}, new AbortController().signal);
    expect(seen).toEqual(columns);
    expect(items.map((item) => item.cells)).toEqual(cells);
  });
