export { describeApi } from "./describe-api.js";
export type { ApiObject, ApiUnderTest, OpenedApi } from "./api-under-test.js";
