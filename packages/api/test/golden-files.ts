import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { builtInTypes } from "@coxswain/api/tables";
import type { SchemaNode } from "@coxswain/apimachinery/schema";

/** One object of upstream's `k8s.io/api/testdata`, in the forms it is there in. */
export interface GoldenObject {
  /** "apps.v1.Deployment" */
  readonly name: string;
  readonly node: SchemaNode;
  /** undefined: upstream has no such file. */
  read(extension: string): Uint8Array | undefined;
}

/** Where the Go module is, if Go and the module are on this machine; nothing is downloaded. */
function moduleDirectory(): string | undefined {
  try {
    const answer = execFileSync("go", ["mod", "download", "-json", "k8s.io/api@v0.36.4"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, GOPROXY: "off", GOFLAGS: "-mod=mod" },
    });
    const directory = (JSON.parse(answer) as { Dir?: string }).Dir;
    return directory && existsSync(join(directory, "testdata", "HEAD")) ? directory : undefined;
  } catch {
    return undefined;
  }
}

export function goldenObjects(release: string): GoldenObject[] {
  const directory = moduleDirectory();
  if (directory === undefined) return [];
  const folder = join(directory, "testdata", release);
  const names = new Set(readdirSync(folder).map((file) => file.replace(/(\.after_roundtrip)?\.(json|yaml|pb)$/, "")));
  return [...names].flatMap((name) => {
    const node = findNode(name);
    if (!node) return [];
    const read = (extension: string): Uint8Array | undefined => {
      const path = join(folder, `${name}.${extension}`);
      return existsSync(path) ? readFileSync(path) : undefined;
    };
    return [{ name, node, read }];
  });
}

function splitName(name: string): { group: string; version: string; kind: string } {
  const parts = name.split(".");
  return { kind: parts.at(-1) ?? "", version: parts.at(-2) ?? "", group: parts.slice(0, -2).join(".") };
}

function findNode(name: string): SchemaNode | undefined {
  const { group, version, kind } = splitName(name);
  const short = group === "internal.apiserver.k8s.io" ? "apiserverinternal" : (group.split(".")[0] ?? "");
  const type = [`io.k8s.api.${short}.${version}.${kind}`, `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`].find(
    (candidate) => builtInTypes.has(candidate),
  );
  return type === undefined ? undefined : builtInTypes.get(type);
}
