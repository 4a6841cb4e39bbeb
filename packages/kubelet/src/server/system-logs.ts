import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { namesOf, openBeneath, pathOf } from "../volumes/beneath.js";
import { KubeletRefusal } from "./kubelet-source.js";

const missing = (): KubeletRefusal => new KubeletRefusal(404, "404 page not found\n");

/**
 * `GET /logs/…`: files and lists of files of the machine's log directory (`enableSystemLogHandler`), as Go's file server prints them.
 * Unlike upstream's, links are only followed within the directory: a pod that may write there must not show other files of the node.
 * @throws KubeletRefusal
 */
export async function serveSystemLogs(directory: string, path: string, response: ServerResponse): Promise<void> {
  const file = await openLog(directory, path);
  try {
    const stats = await file.stat();
    if (stats.isDirectory() && !path.endsWith("/")) return redirect(path, response);
    if (stats.isDirectory()) return await list(file, response);
    if (!stats.isFile()) throw missing(); // a pipe would be read for ever
    // By the descriptor that was looked at; it only names the file until now.
    const opened = await open(pathOf(file), constants.O_RDONLY);
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8", "content-length": stats.size });
    if (stats.size === 0) return void (await opened.close(), response.end());
    // As long as it is now: a log that grows has an end.
    await pipeline(opened.createReadStream({ end: stats.size - 1 }), response);
  } finally {
    await file.close();
  }
}

async function openLog(directory: string, path: string): Promise<FileHandle> {
  try {
    const base = await realpath(directory);
    const resolved = await realpath(`${base}/${namesOf(path.replace(/^\/+/, "")).join("/")}`);
    return await openBeneath(base, relative(base, resolved));
  } catch {
    throw missing(); // not there, or not below the directory
  }
}

function redirect(path: string, response: ServerResponse): void {
  response.writeHead(301, { location: `${path.split("/").at(-1)}/` }).end();
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

async function list(directory: FileHandle, response: ServerResponse): Promise<void> {
  const entries = await readdir(pathOf(directory), { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted();
  const links = names.map((name) => {
    const shown = name.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
    return `<a href="${name.split("/").map(encodeURIComponent).join("/")}">${shown}</a>\n`;
  });
  const head = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n';
  response
    .writeHead(200, { "content-type": "text/html; charset=utf-8" })
    .end(`${head}<pre>\n${links.join("")}</pre>\n`);
}
