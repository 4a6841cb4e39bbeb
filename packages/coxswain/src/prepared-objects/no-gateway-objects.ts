import type { PreparedObjects } from "@coxswain/apiserver";

/** The bundle has a file with the Gateway API's definitions in this one's place; without it they are applied once a cluster has a route. */
const none: PreparedObjects = {};
export default none;
