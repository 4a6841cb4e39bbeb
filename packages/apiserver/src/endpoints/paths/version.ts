import { type VersionInfo } from "../../documents/version.js";
import { checkAccept } from "../route-media.js";
import { methodNotAllowed, resourceNotFound } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

/** Go's names for what Node calls otherwise. */
const machines: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };
const systems: Readonly<Record<string, string>> = { win32: "windows" };

export const platformName = (system: string, machine: string): string =>
  `${systems[system] ?? system}/${machines[machine] ?? machine}`;

/** Upstream indents this document for everybody, and has it in JSON only. */
export const createVersion =
  (version: VersionInfo): PathSource =>
  ({ info: { path }, request }) => {
    if (path !== "/version" && !path.startsWith("/version/")) return undefined;
    if (path.length > "/version/".length) throw resourceNotFound();
    if (request.method !== "GET") throw methodNotAllowed();
    checkAccept(request, ["application/json"]);
    return {
      as: "document",
      code: 200,
      contentType: "application/json",
      bytes: new TextEncoder().encode(JSON.stringify(version, null, 2)),
    };
  };
