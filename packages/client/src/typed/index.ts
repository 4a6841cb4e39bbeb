export { type Client, type ClientOptions, createClient } from "./create-client.js";
export { createTypedGroups, type ResourceAccess, type TypedGroups } from "./typed-groups.js";
