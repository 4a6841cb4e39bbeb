import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import { during } from "@coxswain/runtime/activity";
import type { Timer } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { Manifest } from "./read-manifest.js";

/** Reads manifests again and again, once for all nodes of the process. */
export interface ManifestSource {
  /** Resolves when they were read for the first time. */
  start(): Promise<void>;
  stop(): void;
}

export interface ManifestSourceOptions {
  /** A file, or a folder whose files are read, those with a dot in front left out. */
  readonly path?: string;
  readonly url?: string;
  readonly periodMs: number;
  onManifests(manifests: readonly Manifest[]): void;
  readonly runtime: Runtime;
}

/** Upstream's: what is longer is no manifest, and who does not answer by then is asked again later. */
const maxBytes = 10 * 1024 * 1024;
const answerMs = 10_000;

export function createManifestSource(options: ManifestSourceOptions): ManifestSource {
  const { path, url, periodMs, runtime } = options;
  const { clock, activity, log } = runtime;
  let timer: Timer | undefined;
  let isStopped = false;
  /** What could not be read counts as it was. */
  let fromUrl: readonly Manifest[] = [];
  let last = "";

  async function readAll(): Promise<void> {
    const fromFiles = path === undefined ? [] : await readPath(path, log);
    if (url !== undefined) fromUrl = (await readUrl(url, runtime)) ?? fromUrl;
    const all = [...fromFiles, ...fromUrl];
    const content = JSON.stringify(all);
    if (content === last || isStopped) return;
    last = content;
    options.onManifests(all);
  }

  function arm(): void {
    if (!isStopped) timer = clock.setTimer(periodMs, () => void during(activity, readAll).finally(arm));
  }

  return {
    async start() {
      if (path === undefined && url === undefined) return;
      await readAll();
      arm();
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

async function readPath(path: string, log: Logger): Promise<Manifest[]> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path)).filter((name) => !name.startsWith(".")).sort() : [];
    const files = isFolder ? names.map((name) => join(path, name)) : [path];
    const manifests: Manifest[] = [];
    for (const file of files) {
      const found = await stat(file);
      if (!found.isFile() || found.size > maxBytes)
        log.warn("a manifest of static pods is no file, or too long", { path: file });
      else manifests.push({ text: await readFile(file, "utf8"), source: file, kind: "file" });
    }
    return manifests;
  } catch (error) {
    log.warn("manifests of static pods cannot be read", { path, error });
    return [];
  }
}

async function readUrl(url: string, { clock, log }: Runtime): Promise<Manifest[] | undefined> {
  const late = new AbortController();
  const timer = clock.setTimer(answerMs, () => late.abort());
  try {
    const response = await fetch(url, { signal: late.signal });
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    const text = await response.text();
    if (text === "" || text.length > maxBytes) throw new Error(`${url}: ${text.length} characters are no manifest`);
    return [{ text, source: url, kind: "http" }];
  } catch (error) {
    log.warn("manifests of static pods cannot be read", { url, error });
    return undefined;
  } finally {
    timer.cancel();
  }
}
