import type { Attack } from "../attack.js";
import { backendAttacks } from "./backends.js";
import { collectionAttacks } from "./collections.js";
import { definitionAttacks } from "./definitions.js";
import { fragmentAttacks } from "./fragments.js";
import { http1Attacks } from "./http1.js";
import { http2Attacks } from "./http2.js";
import { objectAttacks } from "./objects.js";
import { programAttacks } from "./programs.js";

/** What one client may do, however much of its rights it has. */
export const attacks: readonly Attack[] = [
  ...http1Attacks,
  ...http2Attacks,
  ...fragmentAttacks,
  ...objectAttacks,
  ...definitionAttacks,
  ...collectionAttacks,
  ...backendAttacks,
  ...programAttacks,
];
