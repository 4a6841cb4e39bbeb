import { defineFlags } from "@coxswain/component/flags";

export const deliveryFlags = defineFlags({
  image: {
    group: "Image",
    type: "string",
    value: "name",
    help: "The image of the operator. By default what config/manager names.",
  },
});
