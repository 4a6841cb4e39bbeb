export { type Client, type ClientOptions, clientThrough, createClient } from "./create-client.js";
export { createTypedGroups, type ResourceAccess, type TypedGroups } from "./typed-groups.js";
