import type { Profiler } from "node:inspector";
import { gzipSync } from "node:zlib";
import { encode, message } from "@coxswain/wire/protobuf";

const valueType = message({ type: { number: 1, type: "int64" }, unit: { number: 2, type: "int64" } });
const sampleType = message({
  locations: { number: 1, type: "uint64", repeated: true },
  values: { number: 2, type: "int64", repeated: true },
});
const lineType = message({ function: { number: 1, type: "uint64" }, line: { number: 2, type: "int64" } });
const locationType = message({
  id: { number: 1, type: "uint64" },
  lines: { number: 4, type: lineType, repeated: true },
});
const functionType = message({
  id: { number: 1, type: "uint64" },
  name: { number: 2, type: "int64" },
  systemName: { number: 3, type: "int64" },
  fileName: { number: 4, type: "int64" },
  startLine: { number: 5, type: "int64" },
});

/** Of github.com/google/pprof/proto/profile.proto, what a CPU profile needs. Texts are numbers: their places in `strings`. */
export const profileType = message({
  sampleTypes: { number: 1, type: valueType, repeated: true },
  samples: { number: 2, type: sampleType, repeated: true },
  locations: { number: 4, type: locationType, repeated: true },
  functions: { number: 5, type: functionType, repeated: true },
  strings: { number: 6, type: "string", repeated: true },
  timeNanos: { number: 9, type: "bigint64" },
  durationNanos: { number: 10, type: "bigint64" },
  periodType: { number: 11, type: valueType },
  period: { number: 12, type: "int64" },
});

/** V8's CPU profile as `go tool pprof` reads it. `startedAt`: in milliseconds since 1970. */
export function toPprof(profile: Profiler.Profile, startedAt: number): Uint8Array {
  const strings = createTexts();
  const parents = parentsOf(profile.nodes);
  const { samples = [], timeDeltas = [] } = profile;
  const microseconds = new Map<number, { count: number; time: number }>();
  for (const [at, node] of samples.entries()) {
    const sum = microseconds.get(node) ?? { count: 0, time: 0 };
    sum.count += 1;
    sum.time += Math.max(0, timeDeltas[at + 1] ?? timeDeltas[at] ?? 0);
    microseconds.set(node, sum);
  }
  const stackOf = (leaf: number): number[] => {
    const stack: number[] = [];
    // The root is not a function.
    for (let node: number | undefined = leaf; node !== undefined && parents.has(node); node = parents.get(node))
      stack.push(node);
    return stack;
  };
  const period = samples.length === 0 ? 0 : Math.round(((profile.endTime - profile.startTime) * 1000) / samples.length);
  const bytes = encode(profileType, {
    sampleTypes: [
      { type: strings.place("samples"), unit: strings.place("count") },
      { type: strings.place("cpu"), unit: strings.place("nanoseconds") },
    ],
    samples: [...microseconds].map(([node, { count, time }]) => ({
      locations: stackOf(node),
      values: [count, time * 1000],
    })),
    locations: profile.nodes.map(({ id, callFrame }) => ({
      id,
      lines: [{ function: id, line: callFrame.lineNumber + 1 }],
    })),
    functions: profile.nodes.map(({ id, callFrame }) => {
      const name = strings.place(callFrame.functionName || "(anonymous)");
      return {
        id,
        name,
        systemName: name,
        fileName: strings.place(callFrame.url),
        startLine: callFrame.lineNumber + 1,
      };
    }),
    periodType: { type: strings.place("cpu"), unit: strings.place("nanoseconds") },
    period,
    timeNanos: BigInt(Math.round(startedAt)) * 1_000_000n,
    durationNanos: BigInt(Math.round((profile.endTime - profile.startTime) * 1000)),
    strings: strings.all,
  });
  return gzipSync(bytes);
}

/** The first text is always the empty one. */
function createTexts(): { readonly all: string[]; place(text: string): number } {
  const all = [""];
  const places = new Map([["", 0]]);
  return {
    all,
    place(text) {
      let place = places.get(text);
      if (place === undefined) {
        place = all.push(text) - 1;
        places.set(text, place);
      }
      return place;
    },
  };
}

function parentsOf(nodes: readonly Profiler.ProfileNode[]): Map<number, number> {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes) for (const child of children) parents.set(child, id);
  return parents;
}
