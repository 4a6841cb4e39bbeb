import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";

/** One thing that a disk did to one file. */
export interface DamageCase {
  readonly template: "closed" | "killed";
  readonly file: string;
  readonly damage:
    | { readonly kind: "flip"; readonly at: number; readonly bits: number }
    | { readonly kind: "cut"; readonly length: number }
    /** A sector that reads as zeros. */
    | { readonly kind: "zeros"; readonly at: number };
}

/** The data file and the log most often: there is little to damage in the others. */
const files = [
  "data.mdb",
  "data.mdb",
  "data.mdb",
  "data.mdb",
  "data.mdb",
  "data.wal",
  "data.wal",
  "data.wal",
  "lock",
  "reserve",
  "data.mdb-lock",
];
const sectorBytes = 512;

/** The same seed draws the same case. */
export function drawCase(root: string, seed: number): DamageCase {
  const random = createSeededRandom(`damage ${seed}`);
  const template = randomInt(2, random) === 0 ? "closed" : "killed";
  const there = files.filter((name) => existsSync(join(root, template, name)));
  const file = there[randomInt(there.length, random)]!;
  const { size } = statSync(join(root, template, file));
  const kind = randomInt(10, random);
  if (kind < 2 || size === 0) return { template, file, damage: { kind: "cut", length: randomInt(size + 1, random) } };
  if (kind === 2) {
    const at = Math.floor(randomInt(size, random) / sectorBytes) * sectorBytes;
    return { template, file, damage: { kind: "zeros", at } };
  }
  return { template, file, damage: { kind: "flip", at: randomInt(size, random), bits: 1 + randomInt(255, random) } };
}

export function inflict(directory: string, { file, damage }: DamageCase): void {
  const path = join(directory, file);
  if (damage.kind === "cut") return truncateSync(path, damage.length);
  const bytes = readFileSync(path);
  if (damage.kind === "flip") bytes[damage.at]! ^= damage.bits;
  else bytes.subarray(damage.at, damage.at + sectorBytes).fill(0);
  writeFileSync(path, bytes);
}

export const describeCase = ({ template, file, damage }: DamageCase): string =>
  `${template} ${file}: ${damage.kind === "cut" ? `cut to ${damage.length}` : `${damage.kind} at ${damage.at}${damage.kind === "flip" ? ` by ${damage.bits}` : ""}`}`;
