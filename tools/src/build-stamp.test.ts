import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const { isBuilt, stampBuild } = createRequire(import.meta.url)("../build-stamp.cjs") as {
  isBuilt(root: string): boolean;
  stampBuild(root: string, begunAt: number): void;
};

/** When the build of these tests began, ms since 1970. */
const begunAt = 2_000_000;
const source = "packages/kinds/src/pod.ts";
const unused = "packages/kinds/src/unused.ts";

type Checkout = {
  readonly root: string;
  /** `at`: when, in ms since 1970. */
  write(file: string, text: string, at: number): void;
};

const cases: readonly { name: string; change(checkout: Checkout): void; built: boolean }[] = [
  { name: "nothing changed: it is built", change: () => {}, built: true },
  { name: "a source changed: it is not", change: ({ write }) => write(source, "2", begunAt + 5000), built: false },
  {
    name: "an older source of another size came back: it is not",
    change: ({ write }) => write(source, "old", 1_000_000),
    built: false,
  },
  { name: "a source is gone: it is not", change: ({ root }) => rmSync(join(root, source)), built: false },
  {
    name: "a file changed that is not in the bundle: it is",
    change: ({ write }) => write(unused, "2", begunAt + 5000),
    built: true,
  },
  {
    name: "the lock file changed: it is not",
    change: ({ write }) => write("package-lock.json", "[]", begunAt + 1),
    built: false,
  },
  {
    name: "the bundle is gone: it is not",
    change: ({ root }) => rmSync(join(root, "packages/coxswain/dist"), { recursive: true }),
    built: false,
  },
  {
    name: "node_modules are gone: it is not",
    change: ({ root }) => rmSync(join(root, "node_modules"), { recursive: true }),
    built: false,
  },
  {
    name: "a source was written while it was built: it is not",
    change({ root, write }) {
      rmSync(join(root, "node_modules/.coxswain-built"));
      write(source, "2", begunAt + 1);
      stampBuild(root, begunAt);
    },
    built: false,
  },
];

for (const { name, change, built } of cases)
  it(name, () => {
    const root = mkdtempSync(join(tmpdir(), "build-stamp-"));
    const write = (file: string, text: string, at: number): void => {
      mkdirSync(join(root, dirname(file)), { recursive: true });
      writeFileSync(join(root, file), text);
      utimesSync(join(root, file), at / 1000, at / 1000);
    };
    for (const file of [source, unused, "package-lock.json", "packages/coxswain/bundle/load.cjs"])
      write(file, "1", 1_000_000);
    write("packages/coxswain/dist/bundle-sources.json", JSON.stringify([source]), begunAt + 1);
    write("packages/coxswain/dist/bundle/coxswain.js", "1", begunAt + 1);
    mkdirSync(join(root, "node_modules"));
    stampBuild(root, begunAt);
    change({ root, write });
    expect(isBuilt(root)).toBe(built);
    rmSync(root, { recursive: true });
  });
