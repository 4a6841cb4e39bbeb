export { type Client, type ClientOptions, clientThrough, createClient } from "./create-client.js";
export type * from "./group-types.js";
export { createTypedGroups } from "./typed-groups.js";
