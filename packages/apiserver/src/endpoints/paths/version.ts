import { type VersionInfo } from "../../documents/version.js";
import { methodNotAllowed } from "../router-errors.js";
import { jsonAnswer } from "./json-answer.js";
import type { PathSource } from "./path-source.js";

/** Go's names for what Node calls otherwise. */
const machines: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };
const systems: Readonly<Record<string, string>> = { win32: "windows" };

export const platformName = (system: string, machine: string): string => `${systems[system] ?? system}/${machines[machine] ?? machine}`;

/** Upstream indents this document for everybody. */
export const createVersion =
  (version: VersionInfo): PathSource =>
  (context) => {
    const { path, verb } = context.info;
    if (path !== "/version" && path !== "/version/") return undefined;
    if (verb !== "get" && verb !== "head") throw methodNotAllowed();
    const answer = jsonAnswer(context, version);
    return { ...answer, bytes: new TextEncoder().encode(JSON.stringify(version, null, 2)) };
  };
