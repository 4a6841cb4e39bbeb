import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** The browser of the machine: `COXSWAIN_CHROMIUM`, else `chromium` in PATH; undefined where there is none. */
export function findChromium(): string | undefined {
  const named = process.env["COXSWAIN_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.map((folder) => join(folder, "chromium")).find((file) => existsSync(file));
}

/** Without a sandbox, since tests run as root in containers; it looks for nothing outside of this machine. */
export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      // The network is this machine: a page that asks for anything else fails.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
