import type { ApiGroup } from "@coxswain/apiserver/library";
import { fischers } from "./fischers.js";
import { flunders } from "./flunders.js";

/** The group of upstream's sample API server. */
export const wardle: ApiGroup = { name: "wardle.example.com", kinds: [fischers, flunders] };
