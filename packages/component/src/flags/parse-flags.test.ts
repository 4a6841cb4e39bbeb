import { describe, expect, expectTypeOf, it } from "vitest";
import { defineFlags, FlagError, formatHelp, parseFlags, parseOnlyFlags } from "./index.js";

const table = defineFlags({
  "secure-port": {
    type: "integer",
    default: 6443,
    min: 0,
    max: 65_535,
    value: "port",
    group: "Serving",
    help: "The port to serve HTTPS on; 0 takes a free one.",
  },
  "bind-address": { type: "string", value: "address", group: "Serving", help: "The address to listen on." },
  profiling: { type: "boolean", default: true, group: "Serving", help: "Serve profiles to those allowed." },
  "anonymous-auth": { type: "boolean", group: "Access", help: "Serve clients without credentials." },
  "authorization-mode": {
    type: "strings",
    default: ["AlwaysAllow"],
    choices: ["AlwaysAllow", "RBAC", "Node"],
    group: "Access",
    help: "Who decides, in order.",
  },
  "request-timeout": {
    type: "duration",
    default: "1m0s",
    min: "1s",
    group: "Serving",
    help: "How long a request may take.",
  },
  "goaway-chance": {
    type: "number",
    default: 0,
    min: 0,
    max: 0.02,
    group: "Serving",
    help: "The chance that a client is sent away.",
  },
  "feature-gates": { type: "map", group: "Features", help: "Features to switch on or off." },
  "runtime-config": { type: "map", bareKeys: true, group: "Features", help: "Groups and versions to serve." },
  v: { type: "integer", default: 0, short: "v", group: "Logs", help: "How much to log." },
  "storage-backend": { type: "string", deprecated: "there is only one.", group: "Store", help: "Of no use." },
});

const read = (...args: string[]) => {
  const parsed = parseFlags(table, args);
  if (parsed.kind === "help") throw new Error("help");
  return parsed;
};

describe("parseFlags", () => {
  it("has exact types", () => {
    const { options } = read();
    expectTypeOf(options.securePort).toEqualTypeOf<number>();
    expectTypeOf(options.bindAddress).toEqualTypeOf<string | undefined>();
    expectTypeOf(options.anonymousAuth).toEqualTypeOf<boolean>();
    expectTypeOf(options.featureGates).toEqualTypeOf<ReadonlyMap<string, string>>();
    expect(options).toMatchObject({
      securePort: 6443,
      bindAddress: undefined,
      profiling: true,
      anonymousAuth: false,
      authorizationMode: ["AlwaysAllow"],
      requestTimeout: 60_000,
    });
  });

  const good: { args: string[]; options: Record<string, unknown> }[] = [
    { args: ["--secure-port=1"], options: { securePort: 1 } },
    { args: ["--secure-port", "1"], options: { securePort: 1 } },
    { args: ["--secure_port=1"], options: { securePort: 1 } },
    { args: ["--secure-port=1", "--secure-port=2"], options: { securePort: 2 } },
    { args: ["--bind-address="], options: { bindAddress: "" } },
    { args: ["--bind-address=a=b"], options: { bindAddress: "a=b" } },
    { args: ["--bind-address", "--x"], options: { bindAddress: "--x" } },
    { args: ["--anonymous-auth"], options: { anonymousAuth: true } },
    { args: ["--profiling=false"], options: { profiling: false } },
    { args: ["--authorization-mode=Node,RBAC"], options: { authorizationMode: ["Node", "RBAC"] } },
    {
      args: ["--authorization-mode=Node", "--authorization-mode", "RBAC"],
      options: { authorizationMode: ["Node", "RBAC"] },
    },
    { args: ["--request-timeout=1h2m"], options: { requestTimeout: 3_720_000 } },
    { args: ["--goaway-chance=.01"], options: { goawayChance: 0.01 } },
    {
      args: ["--feature-gates=A=true,B=false", "--feature-gates=A=false"],
      options: {
        featureGates: new Map([
          ["A", "false"],
          ["B", "false"],
        ]),
      },
    },
    {
      args: ["--runtime-config=api/all,apps/v1=false"],
      options: {
        runtimeConfig: new Map([
          ["api/all", ""],
          ["apps/v1", "false"],
        ]),
      },
    },
    { args: ["--runtime-config=__proto__=x"], options: { runtimeConfig: new Map([["__proto__", "x"]]) } },
    { args: ["-v", "4"], options: { v: 4 } },
    { args: ["-v=4"], options: { v: 4 } },
    { args: ["-v4"], options: { v: 4 } },
    { args: ["--v=4"], options: { v: 4 } },
  ];
  for (const { args, options } of good) it(args.join(" "), () => expect(read(...args).options).toMatchObject(options));

  const bad = [
    { args: ["--secur-port=1"], message: "unknown flag --secur-port. Did you mean --secure-port?" },
    { args: ["--xyz"], message: "unknown flag --xyz. See --help for all of them." },
    { args: ["--constructor=1"], message: "unknown flag --constructor. See --help for all of them." },
    { args: ["-secure-port=1"], message: "unknown flag -s. Did you mean --secure-port?" },
    { args: ["--secure-port"], message: "--secure-port needs a value" },
    { args: ["--secure-port=x"], message: '--secure-port must be a whole number, not "x"' },
    { args: ["--secure-port=70000"], message: "--secure-port must be between 0 and 65535, not 70000" },
    {
      args: ["--secure-port=9007199254740993"],
      message: '--secure-port must be a whole number, not "9007199254740993"',
    },
    { args: ["--profiling=maybe"], message: '--profiling must be true or false, not "maybe"' },
    {
      args: ["--authorization-mode=RBAC,No"],
      message: '--authorization-mode must be one of AlwaysAllow, RBAC, Node, not "No"',
    },
    {
      args: ["--request-timeout=5"],
      message: '--request-timeout must be a duration such as 30s, 5m or 1h30m, not "5"',
    },
    { args: ["--request-timeout=1ms"], message: "--request-timeout must be at least 1s, not 1ms" },
    { args: ["--feature-gates=A"], message: '--feature-gates must be pairs of the form key=value, not "A"' },
  ];
  for (const { args, message } of bad) it(message, () => expect(() => read(...args)).toThrow(new FlagError(message)));

  it("separates flags from arguments, and returns which were given", () => {
    const parsed = read("a", "--v=1", "b", "--", "--v=2", "--help");
    expect(parsed).toMatchObject({ rest: ["a", "b", "--v=2", "--help"], options: { v: 1 } });
    expect([...parsed.given]).toEqual(["v"]);
  });

  it("warns of deprecated flags", () =>
    expect(read("--storage-backend=etcd3").warnings).toEqual(["--storage-backend is deprecated: there is only one."]));
  it("lets help win", () =>
    expect([parseFlags(table, ["--nope", "--help"]), parseFlags(table, ["-h"])]).toEqual([
      { kind: "help" },
      { kind: "help" },
    ]));
});

it("formatHelp reads well", () => {
  expect(formatHelp(table, { usage: "server [flags]", description: "Serves.", width: 70 })).toBe(`Serves.

Usage:
  server [flags]

Serving:
  --secure-port <port>      The port to serve HTTPS on; 0 takes a free
                            one. (default 6443)
  --bind-address <address>  The address to listen on.
  --profiling               Serve profiles to those allowed. (default
                            true)
  --request-timeout <duration>
                            How long a request may take. (default
                            1m0s)
  --goaway-chance <number>  The chance that a client is sent away.
                            (default 0)

Access:
  --anonymous-auth          Serve clients without credentials.
  --authorization-mode <list>
                            Who decides, in order. One of AlwaysAllow,
                            RBAC, Node. (default AlwaysAllow)

Features:
  --feature-gates <key=value,…>
                            Features to switch on or off.
  --runtime-config <key=value,…>
                            Groups and versions to serve.

Logs:
  -v, --v <number>          How much to log. (default 0)
`);
});

it("help keeps lists of subcommands as lists, and comes with its own flag last", () => {
  const flags = defineFlags({
    help: { type: "boolean", group: "Help", help: "Show this text." },
    name: { type: "string", group: "Cluster", help: "The cluster's name." },
  });
  const description =
    "Makes nodes fail.\n\n  kill      turns the machine off: what ran on it is gone, without a word\n  drain     lets no new pods on it";
  expect(formatHelp(flags, { usage: "node COMMAND", description, width: 60 })).toBe(`Makes nodes fail.

  kill      turns the machine off: what ran on it is gone,
            without a word
  drain     lets no new pods on it

Usage:
  node COMMAND

Cluster:
  --name <text>  The cluster's name.

Help:
  --help         Show this text.
`);
});

describe("a command that takes only flags", () => {
  const named = defineFlags({ name: { type: "string", group: "Cluster", help: "The cluster's name." } });
  it("refuses a word, so that it is not taken for the default cluster", () =>
    expect(() => parseOnlyFlags(named, ["two"])).toThrow(
      new FlagError('takes only flags, not "two"; "--name two" names a cluster'),
    ));
  it("takes what parseFlags takes otherwise", () =>
    expect(parseOnlyFlags(named, ["--name", "two"])).toMatchObject({ kind: "options", options: { name: "two" } }));
});
