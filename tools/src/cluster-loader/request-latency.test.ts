import { describe, expect, it } from "vitest";
import { latenciesOf, slowerThanObjectives, slowestByClass } from "./request-latency.js";

interface Series {
  readonly verb: string;
  readonly scope?: string;
  readonly subresource?: string;
  readonly group?: string;
  /** Up to 0.5 s, 1 s, 5 s, and in all. */
  readonly counts: readonly [number, number, number, number];
}
const bounds = ["0.5", "1", "5", "+Inf"];
const page = (...all: Series[]): string =>
  [
    "# TYPE apiserver_request_sli_duration_seconds histogram",
    ...all.flatMap(({ verb, scope = "resource", subresource = "", group = "", counts }) =>
      counts.map(
        (count, at) =>
          `apiserver_request_sli_duration_seconds_bucket{component="apiserver",group="${group}",resource="pods",scope="${scope}",subresource="${subresource}",verb="${verb}",version="v1",le="${bounds[at]}"} ${count}`,
      ),
    ),
  ].join("\n");
const brief = (before: string, after: string): string[] =>
  latenciesOf(before, after).map(
    ({ verb, resource, count, p99Seconds }) => `${verb} ${resource} ${count} ${p99Seconds.toFixed(2)}`,
  );

describe("latencies of requests", () => {
  const cases = [
    {
      name: "are those between two looks",
      before: page({ verb: "POST", counts: [100, 100, 200, 200] }),
      after: page({ verb: "POST", counts: [200, 200, 300, 300] }),
      want: ["POST pods 100 0.49"],
    },
    {
      name: "are interpolated within a bucket, as Prometheus does",
      before: "",
      after: page({ verb: "POST", counts: [98, 100, 100, 100] }),
      want: ["POST pods 100 0.75"],
    },
    {
      name: "above the last bucket are infinite",
      before: "",
      after: page({ verb: "GET", counts: [0, 0, 0, 10] }),
      want: ["GET pods 10 Infinity"],
    },
    {
      name: "are without watches, streams and what nobody asked for",
      before: "",
      after: page(
        { verb: "WATCH", counts: [0, 0, 0, 9] },
        { verb: "CONNECT", subresource: "exec", counts: [0, 0, 0, 9] },
        { verb: "GET", counts: [0, 0, 0, 0] },
      ),
      want: [],
    },
    {
      name: "of a resource in several groups are one",
      before: "",
      after: page(
        { verb: "GET", counts: [100, 100, 100, 100] },
        { verb: "GET", group: "other", counts: [0, 0, 100, 100] },
      ),
      want: ["GET pods 200 4.92"],
    },
  ];
  for (const { name, before, after, want } of cases) it(name, () => expect(brief(before, after)).toEqual(want));

  it("are compared with upstream's objectives: a second, and for lists by their scope", () => {
    const slow = { counts: [0, 0, 100, 100] } as const;
    const latencies = latenciesOf(
      "",
      page(
        { verb: "PATCH", ...slow },
        { verb: "LIST", scope: "namespace", ...slow },
        { verb: "LIST", scope: "cluster", ...slow },
      ),
    );
    expect(slowerThanObjectives(latencies).map(({ verb }) => verb)).toEqual(["PATCH"]);
    expect([...slowestByClass(latencies).keys()]).toEqual([
      "single objects",
      "lists of a namespace",
      "lists of the cluster",
    ]);
  });
});
