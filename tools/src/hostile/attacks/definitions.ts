import { type Attack, pause, repeat, type Target } from "../attack.js";
import { dial, requestText } from "../raw-connection.js";
import { send } from "../send.js";

const times = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));
const group = "definitions.example.com";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

type Schema = Readonly<Record<string, unknown>>;
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: "object", properties });
const fields = (n: number, make: (at: number) => Schema): Schema =>
  object(Object.fromEntries(times(n, (at) => [`field${at}`, make(at)])));
const rules = (...all: readonly string[]): Schema => ({
  "x-kubernetes-validations": all.map((rule) => ({ rule, message: "m" })),
});

/** Of a name of its own: one that is deleted takes its time to go. */
export function hostileDefinition(
  plural: string,
  spec: Schema,
  additionalPrinterColumns: readonly object[] = [],
): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Cluster",
      names: { plural, singular: plural, kind: plural, listKind: `${plural}list` },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: object({ spec }) },
          additionalPrinterColumns,
        },
      ],
    },
  };
}

export interface HostileDefinition {
  readonly name: string;
  readonly spec: Schema;
  /** What an object of it has, where it is not refused. */
  readonly thing?: unknown;
}

const nested = (depth: number, inner: Schema): Schema =>
  depth === 0 ? inner : object({ a: nested(depth - 1, inner) });
const junctors = (depth: number): Schema =>
  depth === 0 ? { required: ["a"] } : { anyOf: [junctors(depth - 1), junctors(depth - 1)] };
const text = { type: "string", maxLength: 10 };
const numbers = { type: "array", maxItems: 1000, items: { type: "integer" } };

/** Definitions made to cost as much as they can, and objects of those that are accepted. */
export const hostileDefinitions: readonly HostileDefinition[] = [
  { name: "50,000 properties", spec: fields(50_000, () => ({ type: "string" })), thing: {} },
  { name: "a schema of 10 MB", spec: fields(50_000, () => ({ type: "string", description: "d".repeat(170) })) },
  {
    name: "a schema of 2 MB, and objects that use all of it",
    spec: fields(20_000, () => ({ type: "string", minLength: 1, description: "d".repeat(50) })),
    thing: Object.fromEntries(times(20_000, (at) => [`field${at}`, "x"])),
  },
  {
    name: "a set of 250,000 texts",
    spec: object({ l: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } } }),
    thing: { l: times(250_000, (at) => `s${at}`) },
  },
  {
    name: "a list of 150,000 items with keys",
    spec: object({
      l: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["k"],
        items: { ...object({ k: { type: "string" } }), required: ["k"] },
      },
    }),
    thing: { l: times(150_000, (at) => ({ k: `k${at}` })) },
  },
  {
    name: "200,000 floats",
    spec: object({ l: { type: "array", items: { type: "number" } } }),
    thing: { l: times(200_000, (at) => at + 0.5) },
  },
  {
    name: "8,000 rules",
    spec: fields(8_000, () => ({ ...text, ...rules("self.startsWith('a')") })),
    thing: { field1: "a" },
  },
  {
    name: "a rule of 99,000 characters",
    spec: { type: "object", ...rules(`${times(49_000, () => "1").join("+")} > 0`) },
  },
  {
    name: "a list of 49,000 constants in a rule",
    spec: { type: "object", ...rules(`1 in [${times(49_000, () => "1").join(",")}]`) },
    thing: {},
  },
  {
    name: "25 rules of 90,000 characters",
    spec: {
      type: "object",
      ...rules(...times(25, (at) => `${times(11_000, () => "true").join(" && ")} || ${at} > 0`)),
    },
    thing: {},
  },
  {
    name: "rules whose cost is a bomb",
    spec: {
      type: "object",
      properties: { l: numbers },
      ...rules("self.l.all(a, self.l.all(b, self.l.all(c, a + b + c > 0)))"),
    },
  },
  {
    name: "rules that use up the budget of each object",
    spec: {
      type: "object",
      properties: { l: { ...numbers, maxItems: 400 } },
      ...rules(...times(30, (at) => `self.l.all(a, self.l.all(b, a + b > ${-at - 1}))`)),
    },
    thing: { l: times(400, (at) => at) },
  },
  {
    name: "rules in rules, 60 deep",
    spec: { type: "object", ...rules(`${"[1].all(x, ".repeat(60)}true${")".repeat(60)}`) },
  },
  {
    name: "patterns that backtrack",
    spec: object({ a: { type: "string", pattern: "^(a+)+$" }, b: { type: "string", pattern: "(x+x+)+y" } }),
    thing: { a: `${"a".repeat(200_000)}!`, b: "x".repeat(200_000) },
  },
  {
    name: "1,000 patterns of 1,000 repetitions",
    spec: fields(1_000, (at) => ({ type: "string", pattern: `^(a|b)*c{1,1000}${at}$` })),
    thing: Object.fromEntries(times(1_000, (at) => [`field${at}`, "abc"])),
  },
  { name: "a schema 400 deep", spec: nested(400, { type: "string" }), thing: {} },
  { name: "junctors in junctors, 65,000 of them", spec: { type: "object", ...junctors(15) }, thing: {} },
  { name: "references to itself", spec: object({ a: { $ref: "#" }, b: { $ref: "#/properties/spec" } }) },
  {
    name: "20,000 defaults",
    spec: fields(20_000, () => ({ type: "object", default: { a: "b" }, properties: { a: { type: "string" } } })),
    thing: {},
  },
  {
    name: "a thousand required members of each of 100,000 items",
    spec: object({
      l: {
        type: "array",
        items: {
          type: "object",
          required: times(1_000, (at) => `m${at}`),
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    }),
    thing: { l: times(100_000, () => ({})) },
  },
  {
    name: "10,000 properties of each of 100,000 items",
    spec: object({ l: { type: "array", items: fields(10_000, () => ({ type: "string" })) } }),
    thing: { l: times(100_000, () => ({})) },
  },
  {
    name: "200,000 choices",
    spec: object({ a: { type: "string", enum: times(150_000, (at) => `e${at}`) } }),
    thing: { a: "x" },
  },
];

/** What `npm test` has of them. */
const inTests = ["50,000 properties", "a rule of 99,000 characters", "patterns that backtrack", "references to itself"];

const ofDefinitions: readonly Attack[] = hostileDefinitions.map(({ name, spec, thing }) => ({
  name: `a definition with ${name}`,
  isLong: !inTests.includes(name),
  async run(target, signal) {
    const made = new Set<string>();
    await repeat(signal, 2, async (turn) => {
      const plural = `things${turn}`;
      made.add(plural);
      const isMade = (await send(target, "POST", definitions, hostileDefinition(plural, spec), signal)) === 201;
      if (thing !== undefined && isMade) await createThings(target, plural, thing, signal);
      await send(target, "GET", "/openapi/v2", undefined, signal);
      await remove(target, plural, signal);
      if (!signal.aborted) made.delete(plural);
    });
    for (const plural of made) await remove(target, plural);
  },
}));

/** As soon as they are served. */
async function createThings(target: Target, plural: string, spec: unknown, signal: AbortSignal): Promise<void> {
  const path = `/apis/${group}/v1/${plural}`;
  await untilServed(target, path, signal);
  const thing = { apiVersion: `${group}/v1`, kind: plural, metadata: { generateName: "hostile-" }, spec };
  for (let at = 0; at < 3 && !signal.aborted; at++) await send(target, "POST", path, thing, signal);
  // A small request for a large object, which is read, changed, written and read again.
  const named = { ...thing, metadata: { name: "hostile" } };
  await send(target, "POST", path, named, signal);
  await send(target, "PATCH", `${path}/hostile`, { metadata: { annotations: { a: "b" } } }, signal);
  await send(target, "DELETE", `${path}/hostile`, undefined, signal);
}

async function untilServed(target: Target, path: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await send(target, "GET", path, undefined, signal)) === 404) await pause(20, signal);
}

async function remove(target: Target, plural: string, signal?: AbortSignal): Promise<void> {
  await send(target, "DELETE", `/apis/${group}/v1/${plural}`, undefined, signal);
  await send(target, "DELETE", `${definitions}/${plural}.${group}`, undefined, signal);
}

/** Expressions of a policy that nothing is bound to: they are compiled all the same. */
const ofPolicies: Attack = {
  name: "a policy with 25 expressions of 90,000 characters",
  isLong: true,
  async run(target, signal) {
    const policy = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "hostile" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [group], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] }],
        },
        validations: times(25, (at) => ({ expression: `${times(11_000, () => "true").join(" && ")} || ${at} > 0` })),
      },
    };
    await repeat(signal, 2, async () => {
      await send(target, "POST", policies, policy, signal);
      await send(target, "DELETE", `${policies}/hostile`, undefined, signal);
    });
    await send(target, "DELETE", `${policies}/hostile`);
  },
};

/** Numbers that are sent as floats and pruned, 900 lists deep: whether one of them is left is asked with every update that changes nothing. */
const ofFloats: Attack = {
  name: "updates with 600,000 floats that are pruned",
  isLong: true,
  async run(target, signal) {
    const path = `/apis/${group}/v1/floats`;
    await send(target, "POST", definitions, hostileDefinition("floats", object({})), signal);
    await untilServed(target, path, signal);
    const floats = `${"[".repeat(900)}${"1.0,".repeat(600_000)}1.0${"]".repeat(900)}`;
    const thing = { apiVersion: `${group}/v1`, kind: "floats", metadata: { name: "hostile" } };
    await send(target, "POST", path, thing, signal);
    await repeat(signal, 2, () => send(target, "PATCH", `${path}/hostile`, `{"spec":{"a":${floats}}}`, signal));
    await remove(target, "floats");
  },
};

const tree = (levels: number): object => (levels === 0 ? { a: 1 } : { a: tree(levels - 1), b: tree(levels - 1) });

/** A small request for a table whose columns each visit every value below every value. */
const ofColumns: Attack = {
  name: "tables of 20 columns ..a..a..a..a",
  isLong: true,
  async run(target, signal) {
    const path = `/apis/${group}/v1/columns`;
    const columns = times(20, (at) => ({ name: `c${at}`, type: "integer", jsonPath: "..a..a..a..a" }));
    const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await send(target, "POST", definitions, hostileDefinition("columns", anything, columns), signal);
    await untilServed(target, path, signal);
    const thing = {
      apiVersion: `${group}/v1`,
      kind: "columns",
      metadata: { generateName: "hostile-" },
      spec: tree(12),
    };
    for (let at = 0; at < 10 && !signal.aborted; at++) await send(target, "POST", path, thing, signal);
    const headers = "Accept: application/json;as=Table;v=v1;g=meta.k8s.io\r\nConnection: close\r\n";
    await repeat(signal, 4, async () => {
      const connection = await dial(target, signal);
      connection.write(requestText(target, { path, headers }));
      connection.socket.resume();
      await connection.closed;
    });
    await remove(target, "columns");
  },
};

export const definitionAttacks: readonly Attack[] = [...ofDefinitions, ofPolicies, ofFloats, ofColumns];
