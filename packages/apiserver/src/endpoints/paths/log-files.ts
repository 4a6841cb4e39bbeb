import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "../../request/answer.js";
import { pageNotFound } from "../router-errors.js";
import type { PathSource } from "./path-source.js";

/** `/logs/`: the files below a directory of this machine. Off unless it is asked for: they are not only ours. */
export const createLogFiles =
  (directory: string): PathSource =>
  ({ info: { path } }) => {
    if (path === "/logs")
      return { as: "document", code: 301, contentType: "", headers: { location: "logs/" }, bytes: new Uint8Array(0) };
    if (!path.startsWith("/logs/")) return undefined;
    const segments = path.slice("/logs/".length).split("/");
    // No way out of the directory.
    if (segments.some((segment) => segment === ".." || segment.includes("\\") || segment.includes("\0")))
      return pageNotFound();
    return fileAnswer(join(directory, ...segments), path);
  };

function fileAnswer(file: string, path: string): Answer {
  try {
    const facts = statSync(file);
    if (facts.isDirectory())
      return path.endsWith("/")
        ? listing(file)
        : {
            as: "document",
            code: 301,
            contentType: "",
            headers: { location: `${path.slice(path.lastIndexOf("/") + 1)}/` },
            bytes: new Uint8Array(0),
          };
    if (!facts.isFile()) return pageNotFound();
    return {
      as: "stream",
      code: 200,
      headers: { "content-type": "text/plain; charset=utf-8", "content-length": String(facts.size) },
      body: facts.size === 0 ? undefined : createReadStream(file, { end: facts.size - 1 }),
    };
  } catch {
    return pageNotFound(); // not there, or not for us to read
  }
}

function listing(directory: string): Answer {
  const names = readdirSync(directory, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  const links = names
    .map(
      (name) =>
        `<a href="${encodeURIComponent(name).replaceAll("%2F", "/")}">${name.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)}</a>\n`,
    )
    .join("");
  return {
    as: "document",
    code: 200,
    contentType: "text/html; charset=utf-8",
    bytes: new TextEncoder().encode(
      `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links}</pre>\n`,
    ),
  };
}
