import type { TarEntry } from "./tar.js";

export interface BusyboxFacts {
  /** A static busybox of this machine, and the names it answers to (`busybox --list`). */
  readonly busybox: string;
  readonly applets: readonly string[];
  /** A program to be /bin/sh in place of busybox's, and the bash that it starts. */
  readonly shell?: { readonly program: string; readonly bash: string };
}

const folders = ["bin", "dev", "etc", "home", "proc", "root", "sys", "usr", "usr/bin", "var"];
const passwd = [
  "root:x:0:0:root:/root:/bin/sh",
  "daemon:x:1:1:daemon:/usr/sbin:/bin/false",
  "nobody:x:65534:65534:nobody:/home:/bin/false",
];

/** A root file system of busybox alone. */
export function busyboxLayer({ busybox, applets, shell }: BusyboxFacts): TarEntry[] {
  const names = applets.filter((name) => name !== "busybox" && !(shell !== undefined && name === "sh"));
  return [
    ...folders.map((path): TarEntry => ({ kind: "directory", path })),
    { kind: "directory", path: "tmp", mode: 0o1777 },
    { kind: "file", path: "etc/passwd", content: passwd.map((line) => `${line}\n`).join("") },
    { kind: "file", path: "etc/group", content: "root:x:0:\ndaemon:x:1:\nnobody:x:65534:\n" },
    { kind: "copy", path: "bin/busybox", source: busybox },
    ...names.map((name): TarEntry => ({ kind: "link", path: `bin/${name}`, target: "busybox" })),
    { kind: "link", path: "usr/bin/env", target: "../../bin/env" },
    ...(shell === undefined
      ? []
      : ([
          { kind: "copy", path: "bin/sh", source: shell.program },
          { kind: "copy", path: "bin/bash", source: shell.bash },
        ] as const)),
  ];
}
