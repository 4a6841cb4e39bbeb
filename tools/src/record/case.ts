import type { Json } from "./json.js";

/** Requests that belong together, played in order against a server. Lives in `testdata/cases/<topic>/<name>.json`. */
export interface Case {
  /** A DNS label, the same as the file's name and unique in all folders: the namespaces of the case are called after it. */
  readonly name: string;
  readonly steps: readonly Step[];
  /** @default see the README of the cases */
  readonly server?: ServerSettings;
}

/** How the server of a case differs from that of most cases. */
export interface ServerSettings {
  /** Users are named by impersonating them. @default "AlwaysAllow" */
  readonly authorizationMode?: "AlwaysAllow" | "RBAC";
  readonly serviceClusterIpRanges?: readonly string[];
  /** Beyond upstream's default ones. */
  readonly enableAdmissionPlugins?: readonly string[];
}

/**
 * One request. In `path`, `headers` and `body` a string may hold `${…}`:
 * - `${ns}` and `${ns2}` are namespaces that exist before the first step (made only when mentioned);
 * - `${create.metadata.uid}` is a member of what the step `create` was answered.
 */
export interface Step {
  /** Unique within its case. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent as it stands, for bodies that are not JSON, or not quite. */
  readonly body?: Json;
  /** The answer is a stream: later steps go on while events are gathered, until there are so many of them. */
  readonly watch?: {
    readonly events: number;
    /** Later steps wait until the events are there: what they show is made by the server itself. @default false */
    readonly waits?: boolean;
  };
  /** Of a step that only prepares, nothing but the status code is kept. */
  readonly quiet?: boolean;
  /** Sent again and again until it is answered with this status code: a new definition is served a little later. Not with `watch`. */
  readonly until?: number;
  /** Waited before the step while recording: plugins of kube-apiserver look into caches that lag behind. Ours do not. */
  readonly pauseMs?: number;
}

const stepName = /^[A-Za-z][A-Za-z0-9-]*$/;

/** Checks what the player relies on. Messages name the case, since many are loaded together. */
export function validateCase(value: Case, fileName: string): Case {
  const fail = (what: string): never => {
    throw new Error(`${fileName}: ${what}`);
  };
  if (value.name !== fileName.replace(/\.json$/, "")) fail(`the name "${value.name}" is not the file's`);
  if (!/^[a-z]([-a-z0-9]{0,55}[a-z0-9])?$/.test(value.name))
    fail("the name must be a DNS label of at most 57 characters");
  if (!Array.isArray(value.steps) || value.steps.length === 0) fail("there are no steps");
  const seen = new Set<string>();
  for (const step of value.steps) {
    if (!stepName.test(step.name ?? "")) fail(`"${step.name}" cannot be the name of a step`);
    if (seen.has(step.name)) fail(`there are two steps "${step.name}"`);
    if (!step.path?.startsWith("/") || !step.method) fail(`step "${step.name}" needs a method and a path`);
    seen.add(step.name);
  }
  return value;
}
